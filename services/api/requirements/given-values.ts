import { z } from "zod";
import {
  fieldTypeOf,
  type RequirementDefinition,
} from "../../domain/countries/fields/requirement-definition.ts";
import { unknownNumbers } from "../../domain/order/rules/decide-requirement.ts";
import type { Order } from "../../domain/order/rules/order.ts";
import { valueKey } from "../../domain/requirement/rules/number-values.ts";
import {
  maskValue,
  type OrderRequirement,
  type RequirementContent,
} from "../../domain/requirement/rules/requirement.ts";
import {
  emptyValue,
  textValue,
  type StoredValue,
} from "../../domain/requirement/store/requirement-values.ts";
import { AppError, type Fault } from "../../platform/errors.ts";
import { textUpTo } from "../../platform/http/body/fields.ts";
import type { SecretBox } from "../../platform/secret-box.ts";
import { checkValue, MAX_VALUE_LENGTH } from "./check-value.ts";

/** One value for the order, or one for each number: exactly one of both. */
export const valueBody = z
  .strictObject({
    field_value: textUpTo(MAX_VALUE_LENGTH)
      .optional()
      .meta({
        description:
          "The value, in the form that `acceptance_criteria` states; of scope `number` only where the order has one number left",
        examples: ["8772-114-90210"],
      }),
    field_values: z
      .record(textUpTo(16), textUpTo(MAX_VALUE_LENGTH).nullable())
      .optional()
      .meta({
        description:
          "Of scope `number`: the values by the order's numbers in E.164; those that are left out stay as they are, and null clears one of an optional requirement",
        examples: [{ "+33612345678": "01P12345636Q" }],
        maxProperties: 1_000,
      }),
  })
  .meta({
    minProperties: 1,
    maxProperties: 1,
    examples: [{ field_value: "8772-114-90210" }],
  });

type SentValue = z.output<typeof valueBody>;

/** A requirement of an order, with what asks for it. */
export interface AskedField {
  readonly order: Order;
  readonly requirement: OrderRequirement;
  readonly definition: RequirementDefinition;
}

/** Checked texts by the number that they are for; null clears. The one of the whole order has no number. */
export type CheckedTexts = ReadonlyMap<string | null, string | null>;

/** The texts of a request in normal form. @throws `validation_failed` with every fault */
export function readTexts(field: AskedField, sent: SentValue, now: Date): CheckedTexts {
  const { texts, faults } = checkTexts(field, sent, now);
  if (faults.length > 0) throw notAccepted(faults);
  return texts;
}

/** The same, with the faults beside them. */
export function checkTexts(
  field: AskedField,
  sent: SentValue,
  now: Date,
): { readonly texts: CheckedTexts; readonly faults: readonly Fault[] } {
  const refusal = findFormFault(field, sent);
  if (refusal !== null) return { texts: new Map(), faults: [refusal] };
  const numbers = field.order.numbers.map(({ phone_number }) => phone_number);
  const isPlain = sent.field_value !== undefined;
  const [only = ""] = numbers;
  const given = isPlain
    ? [[only, sent.field_value] as const]
    : Object.entries(sent.field_values ?? {});
  const faults: Fault[] = unknownNumbers(
    field.order,
    given.map(([number]) => number),
  );
  const texts = new Map<string | null, string | null>();
  const isPerNumber = field.requirement.scope === "number";
  const known = new Set(numbers);
  for (const [number, text = null] of given) {
    if (!known.has(number)) continue;
    const pointer = isPlain ? "#/field_value" : `#/field_values/${number}`;
    const phoneNumbers = isPerNumber ? [number] : numbers;
    const checked =
      text === null ? { value: null } : checkValue(field.definition, text, { phoneNumbers, now });
    if ("fault" in checked) faults.push({ pointer, ...checked.fault });
    else texts.set(isPerNumber ? number : null, checked.value);
  }
  return { texts, faults };
}

function notAccepted(faults: readonly Fault[]): AppError {
  const detail = faults.length === 1 ? "The value is not accepted." : "Values are not accepted.";
  return new AppError("validation_failed", detail, { faults });
}

/** Why the request has not the form that the requirement's scope asks for. */
function findFormFault({ requirement, order }: AskedField, sent: SentValue): Fault | null {
  const isPerNumber = requirement.scope === "number";
  const { field_value: one, field_values: several } = sent;
  const wanted = isPerNumber && order.numbers.length > 1 ? "#/field_values" : "#/field_value";
  if (one === undefined && (several === undefined || Object.keys(several).length === 0)) {
    return { pointer: wanted, code: "required", detail: "It is required." };
  }
  if (several !== undefined && (!isPerNumber || one !== undefined)) {
    const detail = isPerNumber
      ? "Send field_value or field_values, not both."
      : "One value is for the whole order: send it as field_value.";
    return { pointer: "#/field_values", code: "one_value_for_the_order", detail };
  }
  if (one === undefined || !isPerNumber || order.numbers.length === 1) return null;
  const detail = `Each of the order's ${order.numbers.length} numbers has a value of its own: send field_values, an object with a value for each number.`;
  return { pointer: "#/field_value", code: "one_value_per_number", detail };
}

/** What clears a requirement, or the values of all numbers. */
export function clearedTexts({ order, requirement }: AskedField): CheckedTexts {
  if (requirement.scope === "order") return new Map([[null, null]]);
  return new Map(order.numbers.map(({ phone_number }) => [phone_number, null]));
}

/** The content of the texts for the order's rules. */
export function contentOfTexts(
  { requirement, definition }: AskedField,
  texts: CheckedTexts,
): RequirementContent {
  const shown = (text: string): string => maskValue(text, definition.sensitivity);
  if (requirement.scope === "order") {
    const text = texts.get(null) ?? null;
    return text === null ? { kind: "empty" } : { kind: "text", shown: shown(text) };
  }
  const values = [...texts].map(
    ([number, text]) => [number ?? "", text === null ? null : shown(text)] as const,
  );
  return { kind: "values", shown: new Map(values) };
}

/** The texts as they are stored, each by its key. */
export function storedTexts(
  box: SecretBox,
  { order, definition }: AskedField,
  texts: CheckedTexts,
): { readonly key: string; readonly stored: StoredValue }[] {
  return [...texts].map(([number, text]) => {
    const key = number === null ? definition.slug : valueKey(definition.slug, number);
    const ref = { orderId: order.id, slug: key };
    const stored = text === null ? emptyValue() : textValue(box, ref, { definition, text });
    return { key, stored };
  });
}

/** Whether a requirement takes a file. */
export function takesFile({ definition }: AskedField): boolean {
  return fieldTypeOf(definition) === "document";
}
