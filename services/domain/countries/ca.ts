import type { Country } from "./country.ts";
import { spacedPostcode, type Code } from "./fields/code.ts";
import { northAmericanCountry } from "./north-america.ts";

const POSTAL_CODE: Code = {
  name: "ca_postal_code",
  form: "a Canadian postal code, such as M5V 3L9",
  pattern: /^[ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z] \d[ABCEGHJ-NPRSTV-Z]\d$/,
  normalize: spacedPostcode,
};

/** Toll-free numbers belong to the United States (us.ts); CA has the type only so that its requirements can be read. */
export const CA: Country = northAmericanCountry({
  code: "CA",
  form: null,
  postalCode: POSTAL_CODE,
  area: { pattern: /^[A-Z]{2}$/, form: "the province's two letters, such as ON," },
  exampleAddress: "290 Bremner Blvd\nToronto\nON M5V 3L9\nCA",
  examplePostalCode: "M5V 3L9",
  hasBillingAddress: false,
  exampleNumbers: ["+14165551234", "+14165551235"],
});
