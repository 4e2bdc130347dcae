import type { Country } from "./country.ts";
import { northAmericanCountry } from "./north-america.ts";

/**
 * NXX-NXX-XXXX whose area code may be opened: none that ends in two equal digits (kept for services), begins with 37 or 96
 * or has a 9 in the middle (kept for expansion), and no central office such as 411.
 */
const NEW_AREA = /^\+1(?!37|96)[2-9]([0-8])(?!\1)\d(?!.11)[2-9]\d{6}$/;

/**
 * Toll-free +1 numbers belong to no single country of the plan; libphonenumber assigns them to the United States, where
 * their registry is.
 */
export const US: Country = northAmericanCountry({
  code: "US",
  form: NEW_AREA,
  exampleAddress: "350 5th Ave Suite 300\nNew York\nNY 10118\nUS",
  examplePostalCode: "10118",
  hasBillingAddress: true,
  exampleNumbers: ["+12125551234", "+12125551235"],
});
