import { createRequire } from "node:module";
import { parsePhoneNumberFromString, type MetadataJson } from "libphonenumber-js/core";

const metadata = createRequire(import.meta.url)(
  "libphonenumber-js/metadata.max.json",
) as MetadataJson;

/** The parts of a number by which it is written within its country and from abroad; only digits. */
export interface NumberParts {
  /** The country calling code. */
  readonly calling: string;
  /** The national (significant) number, without a trunk prefix. */
  readonly national: string;
}

/** The parts of a number in E.164; without a calling code where its plan is unknown. */
export function numberParts(e164: string): NumberParts {
  const parsed = parsePhoneNumberFromString(e164, metadata);
  if (parsed === undefined) return { calling: "", national: e164.replace(/\D/g, "") };
  return { calling: parsed.countryCallingCode, national: parsed.nationalNumber };
}
