import type { CountryCode } from "../../../services/domain/countries/country-code.ts";
import type { Requirement } from "../orders/order-words.ts";
import { isHeic } from "./smaller-photo.ts";

const KINDS: Readonly<Record<string, string>> = {
  "application/pdf": "PDF",
  "image/jpeg": "JPEG",
  "image/png": "PNG",
  "image/tiff": "TIFF",
};

/** What a document may be, as its requirement says. */
export interface AcceptedFile {
  readonly types: readonly string[];
  /** For people: `PDF`. */
  readonly kinds: readonly string[];
  readonly maxBytes: number | null;
  readonly maxAgeDays: number | null;
}

export function acceptedBy({
  acceptance_criteria: criteria = {},
}: Pick<Requirement, "acceptance_criteria">): AcceptedFile {
  const { content_types: sent, max_bytes: bytes, max_age_days: days } = criteria;
  const types = Array.isArray(sent) ? sent.map(String) : [];
  return {
    types,
    kinds: types.map((type) => KINDS[type] ?? type),
    maxBytes: typeof bytes === "number" ? bytes : null,
    maxAgeDays: typeof days === "number" ? days : null,
  };
}

type GivenFile = Pick<File, "name" | "size" | "type">;

export type FileFault =
  | "heic"
  | "unsupported_document_type"
  | "empty_document"
  | "payload_too_large";

/** Why a file would be refused, known before it is sent; null if it may be accepted. */
export function fileFaultOf(
  { name, size, type }: GivenFile,
  { types, maxBytes }: Pick<AcceptedFile, "types" | "maxBytes">,
): FileFault | null {
  if (isHeic({ name, type }) && !types.includes(type)) return "heic";
  // What the browser knows no type for, the service looks into.
  if (type !== "" && !types.includes(type)) return "unsupported_document_type";
  if (size === 0) return "empty_document";
  return maxBytes !== null && size > maxBytes ? "payload_too_large" : null;
}

interface Plan {
  readonly calling: string;
  /** What stands before a number that is called within the country; empty where nothing does. */
  readonly trunk: string;
}

const NORTH_AMERICA: Plan = { calling: "1", trunk: "1" };

const PLANS: Readonly<Record<CountryCode, Plan>> = {
  AU: { calling: "61", trunk: "0" },
  BE: { calling: "32", trunk: "0" },
  CA: NORTH_AMERICA,
  DE: { calling: "49", trunk: "0" },
  ES: { calling: "34", trunk: "" },
  FR: { calling: "33", trunk: "0" },
  GB: { calling: "44", trunk: "0" },
  IE: { calling: "353", trunk: "0" },
  NL: { calling: "31", trunk: "0" },
  US: NORTH_AMERICA,
};

const PLAN_BY_COUNTRY: ReadonlyMap<string, Plan> = new Map(Object.entries(PLANS));

/** A number as people of a country write it, `(212) 555-7701`, in E.164; what is not one stays as it was typed. */
export function e164Of(text: string, country: string): string {
  const typed = text.normalize("NFKC").trim();
  const plan = PLAN_BY_COUNTRY.get(country);
  if (plan === undefined || /[^\d\s()./+\u2010-\u2015-]/u.test(typed)) return typed;
  const digits = typed.replaceAll(/\D/g, "");
  if (typed.startsWith("+")) return `+${typed.replace("(0)", "").replaceAll(/\D/g, "")}`;
  const abroad = /^(?:00|011)([1-9]\d+)$/.exec(digits);
  if (abroad !== null) return `+${abroad[1]}`;
  const national = digits.startsWith(plan.trunk) ? digits.slice(plan.trunk.length) : digits;
  return `+${plan.calling}${national}`;
}

/** A number that is looked for, in E.164 where it is written as in North America or with its calling code. */
export function soughtNumber(text: string): string {
  const isNational = /^\(?0(?!0|11)/.test(text);
  return text === "" || isNational ? text : e164Of(text, "US");
}
