import type { Country } from "./country.ts";
import type { Code } from "./fields/code.ts";
import { northAmericanCountry } from "./north-america.ts";

const ZIP_CODE: Code = {
  name: "us_zip_code",
  form: "a ZIP code of 5 digits such as 10118, or of 9 as in 10118-0001",
  pattern: /^\d{5}(?:-\d{4})?$/,
  normalize: (text) => text,
};

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
  postalCode: ZIP_CODE,
  area: { pattern: /^[A-Z]{2}$/, form: "the state's two letters, such as NY," },
  exampleAddress: "350 5th Ave Suite 300\nNew York\nNY 10118\nUS",
  examplePostalCode: "10118",
  hasBillingAddress: true,
  exampleNumbers: ["+12125551234", "+12125551235"],
});
