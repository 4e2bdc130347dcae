import { createRequire } from "node:module";
import {
  getCountries,
  getCountryCallingCode,
  parsePhoneNumberFromString,
  type MetadataJson,
} from "libphonenumber-js/core";
import type { Numbering } from "../../countries/country.ts";
import { COUNTRIES, findCountry } from "../../countries/countries.ts";
import type { NumberType } from "../../countries/number-type.ts";

// The package's entry point for this metadata imports JSON as a module, for which Node prints an experimental warning.
const metadata = createRequire(import.meta.url)(
  "libphonenumber-js/metadata.max.json",
) as MetadataJson;

export interface NumberKind {
  readonly country_code: string;
  /** Null if the numbering plan leaves open whether it is local or mobile. "other" is premium rate and the like. */
  readonly number_type: NumberType | "other" | null;
  /** Of a range that libphonenumber does not know: nothing says which type it has. */
  readonly isUnlisted?: boolean;
}

/** Non-geographic numbers at a national rate are national: GB 03 and 055, FR 09, AU 0147. */
const TYPE_BY_PLAN: Readonly<Record<string, NumberType>> = {
  FIXED_LINE: "local",
  MOBILE: "mobile",
  TOLL_FREE: "toll_free",
  UAN: "national",
  VOIP: "national",
  SHARED_COST: "shared_cost",
};

const COUNTRY_OF_TERRITORY: ReadonlyMap<string, string> = new Map(
  [...COUNTRIES].flatMap(([code, { numbering }]) =>
    numbering.territories.map((territory) => [territory, code] as const),
  ),
);

/** The form of a number in E.164. */
export const E164 = /^\+[1-9]\d{6,14}$/;

/** Whether the text has the form of an E.164 number, assigned or not. */
export function isE164(text: string): boolean {
  return E164.test(text);
}

/** Whether a number in E.164 has as many digits as numbers of its country have, assigned or not. */
export function isPossibleNumber(phoneNumber: string): boolean {
  return parsePhoneNumberFromString(phoneNumber, metadata)?.isPossible() === true;
}

/** What E.164 prefixes of a country begin with; null for a code that is not a country's. */
export function callingPrefixOf(country: string): string | null {
  const known = getCountries(metadata).find((code) => code === country);
  return known === undefined ? null : `+${getCountryCallingCode(known, metadata)}`;
}

/** Finds the kind of a number in the ranges that an operator has added. */
export type RangeOf = (phoneNumber: string) => NumberKind | null;

/**
 * The kind of an E.164 number; null if no numbering plan allows it. One of a range that libphonenumber does not know is of the
 * country whose plan has its form, and unlisted.
 */
export function classifyNumber(
  phoneNumber: string,
  rangeOf: RangeOf = () => null,
): NumberKind | null {
  if (!isE164(phoneNumber)) return null;
  const parsed = parsePhoneNumberFromString(phoneNumber, metadata);
  if (parsed?.number !== phoneNumber) return null;
  const range = parsed.isPossible() ? rangeOf(phoneNumber) : null;
  if (range !== null) return range;
  if (!parsed.isValid()) return kindByForm(phoneNumber);
  const territory = parsed.country;
  const plan = parsed.getType();
  if (territory === undefined || plan === undefined) return null;
  const country_code = COUNTRY_OF_TERRITORY.get(territory) ?? territory;
  const numbering = findCountry(country_code)?.numbering;
  return { country_code, number_type: typeOf(phoneNumber, plan, numbering) };
}

function kindByForm(phoneNumber: string): NumberKind | null {
  for (const [country_code, { numbering }] of COUNTRIES) {
    if (numbering.form?.test(phoneNumber) === true) {
      return { country_code, number_type: null, isUnlisted: true };
    }
  }
  return null;
}

function typeOf(
  phoneNumber: string,
  plan: string,
  numbering: Numbering | undefined,
): NumberKind["number_type"] {
  const exceptions = Object.entries(numbering?.typeByPrefix ?? {});
  const exception = exceptions.find(([prefix]) => phoneNumber.startsWith(prefix));
  if (exception !== undefined) return exception[1];
  if (plan !== "FIXED_LINE_OR_MOBILE") return TYPE_BY_PLAN[plan] ?? "other";
  return numbering?.leavesTypeOpen === false ? "local" : null;
}

/** Whether the numbering plan excludes the type: it knows another, or it leaves open local and mobile alone. */
export function contradictsPlan(kind: NumberKind, chosen: NumberType): boolean {
  const { number_type: planned, isUnlisted = false } = kind;
  if (isUnlisted) return false;
  return planned === null ? chosen !== "local" && chosen !== "mobile" : chosen !== planned;
}

/** The number type for an order: the plan's if it is definite, else the customer's choice, else local. */
export function orderTypeOf(
  { number_type: planned, isUnlisted = false }: NumberKind,
  chosen: NumberType | undefined,
): NumberType | "other" {
  if (isUnlisted) return chosen ?? "local";
  return planned ?? (chosen === "mobile" ? "mobile" : "local");
}
