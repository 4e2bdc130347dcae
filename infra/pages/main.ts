import { ensurePages } from "./ensure-pages.ts";

await ensurePages((line) => console.error(line));
