import type { Country } from "./country.ts";
import { northAmericanCountry } from "./north-america.ts";

/** Toll-free numbers belong to the United States (us.ts); CA has the type only so that its requirements can be read. */
export const CA: Country = northAmericanCountry({
  code: "CA",
  form: null,
  exampleAddress: "290 Bremner Blvd\nToronto\nON M5V 3L9\nCA",
  examplePostalCode: "M5V 3L9",
  hasBillingAddress: false,
  exampleNumbers: ["+14165551234", "+14165551235"],
});
