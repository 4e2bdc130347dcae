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
 * Toll-free +1 numbers belong to no single country of the plan; libphonenumber assigns them to the United States, where
 * their registry is.
 */
export const US: Country = northAmericanCountry({
  code: "US",
  localDays: 3,
  postalCode: ZIP_CODE,
  area: { pattern: /^[A-Z]{2}$/, form: "the state's two letters, such as NY," },
  exampleAddress: "350 5th Ave Suite 300\nNew York\nNY 10118\nUS",
  examplePostalCode: "10118",
  exampleNumbers: ["+12125551234", "+12125551235"],
});
