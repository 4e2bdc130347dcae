import { z } from "zod";
import { fieldTypeOf } from "../../domain/countries/fields/requirement-definition.ts";
import type { Upload } from "../../domain/document/rules/document.ts";
import { LOA_SLUG } from "../../domain/order/rules/decide-loa.ts";
import type { Order } from "../../domain/order/rules/order.ts";
import type { RewrittenValue } from "../../domain/order/store/order-commands.ts";
import { definitionOf } from "../../domain/requirement/rules/catalogue.ts";
import { isTooOld, tooOld } from "../../domain/requirement/rules/readiness.ts";
import type {
  OrderRequirement,
  RequirementContent,
} from "../../domain/requirement/rules/requirement.ts";
import { documentValue } from "../../domain/requirement/store/requirement-values.ts";
import { hasAtMost } from "../../platform/characters.ts";
import type { Fault } from "../../platform/errors.ts";
import { toPointer } from "../../platform/http/body/find-faults.ts";
import { newId } from "../../platform/ids.ts";
import type { SecretBox } from "../../platform/secret-box.ts";
import { signature, type Signature } from "../loa/make-letter.ts";
import { MAX_VALUE_LENGTH, type ValueFault } from "./check-value.ts";
import { checkTexts, contentOfTexts, storedTexts, type AskedField } from "./given-values.ts";

/** No order asks for as many. */
const MOST_GIVEN = 64;

const MOST_NUMBERS = 1_000;

type ValuesByNumber = Readonly<Record<string, string>>;

function isByNumber(sent: unknown): sent is ValuesByNumber {
  if (typeof sent !== "object" || sent === null || Array.isArray(sent)) return false;
  const entries = Object.entries(sent);
  const isValue = ([number, value]: [string, unknown]): boolean =>
    number.startsWith("+") && typeof value === "string" && hasAtMost(MAX_VALUE_LENGTH, value);
  return entries.length > 0 && entries.length <= MOST_NUMBERS && entries.every(isValue);
}

/** Not a record: its faults would hide those of a signature. */
const valuesByNumber = z.custom<ValuesByNumber>(isByNumber).meta({
  type: "object",
  additionalProperties: { type: "string", maxLength: MAX_VALUE_LENGTH },
  propertyNames: { pattern: "^\\+" },
  minProperties: 1,
  maxProperties: MOST_NUMBERS,
});

/** What a request gives for requirements, by slug. */
export const givenRequirements = z
  .record(
    z.string(),
    z.union([z.string().meta({ maxLength: MAX_VALUE_LENGTH }), signature, valuesByNumber]),
  )
  .refine((given) => Object.keys(given).length <= MOST_GIVEN, {
    error: `It may name at most ${MOST_GIVEN} requirements.`,
    params: { code: "too_many" },
  })
  .meta({
    id: "GivenRequirements",
    description:
      "What the orders ask for, by slug: a value as `field_value` takes it, values by number as `field_values` takes them, the id of a document that `POST /v2/documents` returned, or for `loa` what signs the letter",
    examples: [{ entity_name: "Acme Dental LLC", auth_person_name: "Grace Hopper" }],
  });

export type GivenRequirements = z.output<typeof givenRequirements>;

/** A field's new content, as checked, with what is stored of it. */
export interface GivenField {
  readonly slug: string;
  readonly content: RequirementContent;
  readonly rewritten: readonly RewrittenValue[];
  /** The upload of which the order gets a copy. */
  readonly upload: Upload | null;
}

interface GivenContext {
  /** The account's uploads that the request names, by id. */
  readonly uploads: ReadonlyMap<string, Upload>;
  readonly box: SecretBox;
  readonly now: Date;
}

const at = (slug: string): string => toPointer(["requirements", slug]);

/** The faults of what none of the orders asks for. */
export function findUnaskedFaults(given: GivenRequirements, orders: readonly Order[]): Fault[] {
  const asked = new Set(orders.flatMap(({ requirements }) => requirements.map((one) => one.slug)));
  if (asked.size === 0) return [];
  const detail = `Nothing here asks for it, but for ${[...asked].join(", ")}.`;
  const unasked = Object.keys(given)
    .filter((slug) => !asked.has(slug))
    .map((slug) => ({ pointer: at(slug), code: "unknown_requirement", detail }));
  return [...unasked, ...findUnknownNumbers(given, orders)];
}

function findUnknownNumbers(given: GivenRequirements, orders: readonly Order[]): Fault[] {
  const known = new Set(orders.flatMap(({ numbers }) => numbers.map((one) => one.phone_number)));
  return Object.entries(given).flatMap(([slug, sent]) =>
    Object.keys(isByNumber(sent) ? sent : {})
      .filter((number) => !known.has(number))
      .map((number) => ({
        pointer: `${at(slug)}/${number}`,
        code: "unknown_number",
        detail: "It is none of the numbers.",
      })),
  );
}

/** What signs the order's letter, if the request gives that. */
export function signatureIn(given: GivenRequirements, order: Order): Signature | null {
  const by = given[LOA_SLUG];
  if (by === undefined || typeof by === "string" || isByNumber(by)) return null;
  return order.requirements.some(({ slug }) => slug === LOA_SLUG) ? by : null;
}

/** Strings that may be ids of documents. */
export function namedUploads(given: GivenRequirements): string[] {
  return Object.values(given).filter((sent) => typeof sent === "string");
}

/** The fields of an order that a request gives values for, and every fault of these. */
export function readGiven(given: GivenRequirements, order: Order, context: GivenContext) {
  const fields: GivenField[] = [];
  const faults: Fault[] = [];
  for (const [slug, sent] of Object.entries(given)) {
    const requirement = order.requirements.find((one) => one.slug === slug);
    const definition = requirement === undefined ? null : definitionOf(order, slug);
    if (requirement === undefined || definition === null) continue;
    if (typeof sent !== "string" && !isByNumber(sent) && slug === LOA_SLUG) continue;
    const read = readField({ requirement, definition, order }, sent, context);
    if (read === null) continue;
    if ("faults" in read) faults.push(...read.faults);
    else if ("code" in read) faults.push({ pointer: at(slug), ...read });
    else fields.push(read);
  }
  return { fields, faults };
}

function readField(
  field: AskedField,
  sent: GivenRequirements[string],
  context: GivenContext,
): GivenField | ValueFault | { readonly faults: readonly Fault[] } | null {
  if (isByNumber(sent)) return readByNumber(field, sent, context);
  if (typeof sent !== "string") return { code: "invalid_type", detail: "It must be a string." };
  return fieldTypeOf(field.definition) === "document"
    ? readDocument(field.requirement, context.uploads.get(sent), context.now)
    : readText(field, sent, context);
}

/** Those of the order's own numbers: the others are of other orders of the request. Null where it has none of them. */
function readByNumber(field: AskedField, sent: ValuesByNumber, { box, now }: GivenContext) {
  const { slug } = field.requirement;
  const own = field.order.numbers.flatMap(({ phone_number: number }) => {
    const value = sent[number];
    return value === undefined ? [] : [[number, value] as const];
  });
  if (own.length === 0) return null;
  const { texts, faults } = checkTexts(field, { field_values: Object.fromEntries(own) }, now);
  if (faults.length > 0) {
    const placed = faults.map(({ pointer = "", ...fault }) => {
      const number = /^#\/field_values\/(.+)$/.exec(pointer)?.[1];
      return { ...fault, pointer: number === undefined ? at(slug) : `${at(slug)}/${number}` };
    });
    return { faults: placed };
  }
  const rewritten = storedTexts(box, field, texts);
  return { slug, content: contentOfTexts(field, texts), rewritten, upload: null };
}

function readText(
  field: AskedField,
  sent: string,
  { box, now }: GivenContext,
): GivenField | ValueFault {
  if (!hasAtMost(MAX_VALUE_LENGTH, sent)) {
    return { code: "too_long", detail: `It may have at most ${MAX_VALUE_LENGTH} characters.` };
  }
  const { texts, faults } = checkTexts(field, { field_value: sent }, now);
  const [fault] = faults;
  if (fault !== undefined) return { code: fault.code, detail: fault.detail };
  const content = contentOfTexts(field, texts);
  const rewritten = storedTexts(box, field, texts);
  return { slug: field.requirement.slug, content, rewritten, upload: null };
}

export const UNKNOWN_DOCUMENT: ValueFault = {
  code: "unknown_document",
  detail: "It is not the id of a document that POST /v2/documents returned, or that has lapsed.",
};

function readDocument(
  { slug, max_age_days }: OrderRequirement,
  upload: Upload | undefined,
  now: Date,
): GivenField | ValueFault {
  if (upload === undefined) return UNKNOWN_DOCUMENT;
  const { document_date } = upload;
  const dated = { document_date, max_age_days };
  if (isTooOld(dated, now)) return { code: "document_too_old", detail: tooOld(dated) };
  const document_id = newId(now);
  const content = { kind: "document", document_id, document_date, check: "checking" } as const;
  const stored = documentValue(document_id, document_date);
  return { slug, content, rewritten: [{ key: slug, stored }], upload };
}
