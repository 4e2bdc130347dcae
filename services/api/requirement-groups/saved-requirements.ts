import { z } from "zod";
import {
  fieldTypeOf,
  type RequirementDefinition,
} from "../../domain/countries/fields/requirement-definition.ts";
import { LOA_SLUG } from "../../domain/order/rules/decide-loa.ts";
import { ORDER_KINDS } from "../../domain/requirement/rules/catalogue.ts";
import type { RequirementValue } from "../../domain/requirement/store/requirement-values.ts";
import type { Fault } from "../../platform/errors.ts";
import { textUpTo } from "../../platform/http/body/fields.ts";
import { toPointer } from "../../platform/http/body/find-faults.ts";
import { checkValue, type ValueFault } from "../requirements/check-value.ts";
import { UNKNOWN_DOCUMENT } from "../requirements/given-requirements.ts";

/** What belongs to a holder: not to one order, one number, or the account that the losing carrier keeps. */
function isSaved({ slug, scope, sensitivity, value }: RequirementDefinition): boolean {
  const isOfOrder = slug === LOA_SLUG || scope === "number" || value.format === "phone_number";
  return !isOfOrder && sensitivity === "no";
}

const DEFINITIONS = ORDER_KINDS.flatMap(({ profile }) => profile);
const OTHERS = new Set(DEFINITIONS.filter((one) => !isSaved(one)).map(({ slug }) => slug));
const SAVED = DEFINITIONS.filter(({ slug }) => !OTHERS.has(slug));

function kindsOf(slug: string): readonly RequirementDefinition[] {
  return SAVED.filter((one) => one.slug === slug);
}

/** No holder has as many. */
export const MOST_SAVED = 64;

/** An address, the longest of them, has 4 lines of 120 characters. */
const MAX_LENGTH = 600;

/** Values of a holder by slug: a text, or the id of a document that `POST /v2/documents` returned. */
export const savedRequirements = z
  .record(z.string(), textUpTo(MAX_LENGTH))
  .refine((saved) => Object.keys(saved).length > 0, {
    error: "It must have at least one value.",
    params: { code: "required" },
  })
  .refine((saved) => Object.keys(saved).length <= MOST_SAVED, {
    error: `It may have at most ${MOST_SAVED} values.`,
    params: { code: "too_many" },
  })
  .meta({
    id: "SavedRequirements",
    description: `What belongs to the holder, by slug: a value of up to ${MAX_LENGTH} characters as \`field_value\` takes it, or the id of a document that \`POST /v2/documents\` returned. Not \`loa\`, sensitive values and what each number has of its own: these belong to an order`,
    examples: [{ entity_name: "Acme Dental LLC", auth_person_name: "Grace Hopper" }],
  });

export type SavedRequirements = z.output<typeof savedRequirements>;

function isDocument(kind: RequirementDefinition): boolean {
  return fieldTypeOf(kind) === "document";
}

/** The values of document fields, which are ids if they are right. */
export function savedDocuments(saved: SavedRequirements): string[] {
  return Object.entries(saved).flatMap(([slug, value]) =>
    kindsOf(slug).some(isDocument) ? [value] : [],
  );
}

/** Of an order's values those that belong to its holder. */
export function savedOf(values: readonly RequirementValue[]): SavedRequirements {
  return Object.fromEntries(
    values.flatMap(({ slug, value }) =>
      value !== null && kindsOf(slug).length > 0 ? [[slug, value] as const] : [],
    ),
  );
}

interface Known {
  /** Of the uploads that are named, those that the account has. */
  readonly uploads: ReadonlyMap<string, unknown>;
  readonly now: Date;
}

/** Every fault that a value has whichever order it is given to; an order that does not take one goes without it. */
export function findSavedFaults(saved: SavedRequirements, known: Known): Fault[] {
  return Object.entries(saved).flatMap(([slug, text]) => {
    const pointer = toPointer(["requirements", slug]);
    const kinds = kindsOf(slug);
    if (kinds.length === 0) return [{ pointer, ...notSaved(slug) }];
    if (kinds.some(isDocument)) {
      return known.uploads.has(text) ? [] : [{ pointer, ...UNKNOWN_DOCUMENT }];
    }
    const fault = faultForAll(kinds, text, known.now);
    return fault === null ? [] : [{ pointer, ...fault }];
  });
}

function notSaved(slug: string) {
  const detail = OTHERS.has(slug)
    ? "It belongs to an order, to one of its numbers or to the account at the losing carrier: give it with the order."
    : "No order asks for it.";
  return { code: "unknown_requirement", detail };
}

/** The fault of a text that no kind takes; null if one does. */
function faultForAll(kinds: readonly RequirementDefinition[], text: string, now: Date) {
  const faultOf = (kind: RequirementDefinition): ValueFault | null => {
    const checked = checkValue(kind, text, { phoneNumbers: [], now });
    return "fault" in checked ? checked.fault : null;
  };
  const faults = kinds.map(faultOf);
  if (faults.includes(null)) return null;
  // An address is told what is wrong with it in its own country.
  const country = text.trim().split("\n").at(-1)?.trim().toUpperCase();
  const own = kinds.findIndex(
    ({ value }) => value.format === "address" && value.country === country,
  );
  if (own >= 0) return faults[own] ?? null;
  const [first] = faults;
  if (first == null || faults.every((one) => one?.detail === first.detail)) return first ?? null;
  return { code: first.code, detail: `No kind of order takes it. Of one: ${first.detail}` };
}
