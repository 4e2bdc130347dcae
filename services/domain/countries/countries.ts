/** The table of countries: one line each, named by its code (ISO 3166-1 alpha-2), read by find-country.ts. */
export { AU } from "./au.ts";
export { CA } from "./ca.ts";
export { DE } from "./de.ts";
export { ES } from "./es.ts";
export { FR } from "./fr.ts";
export { GB } from "./gb.ts";
export { US } from "./us.ts";
