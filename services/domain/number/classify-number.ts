import { createRequire } from "node:module";
import { parsePhoneNumberFromString } from "libphonenumber-js/core";
import type { MetadataJson } from "libphonenumber-js/core";

// The package's own entry with this metadata is JSON imported as a module, which Node announces as experimental.
const metadata = createRequire(import.meta.url)(
  "libphonenumber-js/metadata.max.json",
) as MetadataJson;

export type NumberType = "local" | "mobile" | "toll_free" | "national" | "shared_cost";

export const NUMBER_TYPES = [
  "local",
  "mobile",
  "toll_free",
  "national",
  "shared_cost",
] as const satisfies readonly NumberType[];

export interface NumberKind {
  readonly country_code: string;
  /** Null where the numbering plan does not tell: US and CA, local or mobile. "other": premium rate and the like. */
  readonly number_type: NumberType | "other" | null;
}

const TYPE_BY_PLAN: Readonly<Record<string, NumberType | null>> = {
  FIXED_LINE: "local",
  MOBILE: "mobile",
  FIXED_LINE_OR_MOBILE: null,
  TOLL_FREE: "toll_free",
  UAN: "national",
  SHARED_COST: "shared_cost",
};

/** Jersey, Guernsey and Man share Great Britain's plan and its carriers. */
const COUNTRY_OF_TERRITORY: Readonly<Record<string, string>> = { GG: "GB", JE: "GB", IM: "GB" };

/** The kind of a number in E.164; null where it is no valid number of any numbering plan. */
export function classifyNumber(phoneNumber: string): NumberKind | null {
  if (!/^\+[1-9]\d{6,14}$/.test(phoneNumber)) return null;
  const parsed = parsePhoneNumberFromString(phoneNumber, metadata);
  if (parsed?.number !== phoneNumber || !parsed.isValid()) return null;
  const country = parsed.country;
  const plan = parsed.getType();
  if (country === undefined || plan === undefined) return null;
  return {
    country_code: COUNTRY_OF_TERRITORY[country] ?? country,
    number_type: plan in TYPE_BY_PLAN ? (TYPE_BY_PLAN[plan] ?? null) : "other",
  };
}
