import type { SecretBox } from "../../../platform/secret-box.ts";
import {
  maskValue,
  type RequirementContent,
} from "../../../domain/requirement/rules/requirement.ts";
import type { RequirementDefinition } from "../../../domain/countries/fields/requirement-definition.ts";
import {
  documentValue,
  emptyValue,
  textValue,
  type RequirementRef,
} from "../../../domain/requirement/store/requirement-values.ts";
import type { Order } from "../../../domain/order/rules/order.ts";
import type { CommandContext } from "../../../domain/command/store/run-command.ts";
import {
  commandOrder,
  type CustomerCommand,
  type OrderAddress,
} from "../../../domain/order/store/order-commands.ts";

/** A field's new content: checked text, a document that is already stored, or nothing. */
export type NewValue =
  | { readonly kind: "text"; readonly text: string }
  | Extract<RequirementContent, { kind: "document" | "empty" }>;

interface NewContent {
  readonly definition: RequirementDefinition;
  readonly value: NewValue;
}

export type RequirementWrite = NewContent & Omit<CustomerCommand, "command" | "rewritten">;

/**
 * Changes a field of an account's order: the order decision and the value in one transaction.
 * @throws `not_found`, `invalid_state`
 */
export async function writeRequirement(
  context: CommandContext & { readonly box: SecretBox },
  address: OrderAddress,
  { definition, value, ...given }: RequirementWrite,
): Promise<Order> {
  const { slug } = definition;
  const ref = { orderId: address.orderId, slug };
  const content = contentOf(definition, value);
  const command = { command: "requirement_changed", slug, content } as const;
  const rewritten = { slug, stored: storedOf(context.box, ref, { definition, value }) };
  return commandOrder(context, address, { command, rewritten, ...given });
}

function contentOf(definition: RequirementDefinition, value: NewValue): RequirementContent {
  if (value.kind !== "text") return value;
  return { kind: "text", shown: maskValue(value.text, definition.sensitivity) };
}

function storedOf(box: SecretBox, ref: RequirementRef, { definition, value }: NewContent) {
  switch (value.kind) {
    case "text":
      return textValue(box, ref, { definition, text: value.text });
    case "document":
      return documentValue(value.document_id, value.document_date);
    case "empty":
      return emptyValue();
  }
}
