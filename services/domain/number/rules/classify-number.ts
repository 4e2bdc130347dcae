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

/** Numbers of no place, reached at a national price, are national: GB 03 and 055, FR 09, AU 0147. */
const TYPE_BY_PLAN: Readonly<Record<string, NumberType | null>> = {
  FIXED_LINE: "local",
  MOBILE: "mobile",
  FIXED_LINE_OR_MOBILE: null,
  TOLL_FREE: "toll_free",
  UAN: "national",
  VOIP: "national",
  SHARED_COST: "shared_cost",
};

/** German 032 numbers belong to no place; the metadata counts them among fixed lines. */
const GERMAN_NATIONAL = "+4932";

/** Jersey, Guernsey and Man share Great Britain's plan and its carriers; Cocos and Christmas Islands Australia's. */
const COUNTRY_OF_TERRITORY: Readonly<Record<string, string>> = {
  GG: "GB",
  JE: "GB",
  IM: "GB",
  CC: "AU",
  CX: "AU",
};

/** The form of a number in E.164. */
export const E164 = /^\+[1-9]\d{6,14}$/;

/** Whether the text has the form of a number in E.164, whoever has such a number. */
export function isE164(text: string): boolean {
  return E164.test(text);
}

/**
 * The kind of a number in E.164; null where it is no valid number of any numbering plan. Toll-free numbers of +1
 * belong to no one country of that plan: they count as of the United States, where their registry is.
 */
export function classifyNumber(phoneNumber: string): NumberKind | null {
  if (!isE164(phoneNumber)) return null;
  const parsed = parsePhoneNumberFromString(phoneNumber, metadata);
  if (parsed?.number !== phoneNumber || !parsed.isValid()) return null;
  const country = parsed.country;
  const plan = parsed.getType();
  if (country === undefined || plan === undefined) return null;
  return {
    country_code: COUNTRY_OF_TERRITORY[country] ?? country,
    number_type: typeOf(phoneNumber, plan),
  };
}

function typeOf(phoneNumber: string, plan: string): NumberKind["number_type"] {
  if (phoneNumber.startsWith(GERMAN_NATIONAL)) return "national";
  return plan in TYPE_BY_PLAN ? (TYPE_BY_PLAN[plan] ?? null) : "other";
}

/** The type that an order of the number has: the plan's where it tells, else what the customer says, else local. */
export function orderTypeOf(
  { number_type: told }: NumberKind,
  wished: NumberType | undefined,
): NumberType | "other" {
  return told ?? (wished === "mobile" ? "mobile" : "local");
}
