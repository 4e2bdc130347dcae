import fc from "fast-check";
import type { Order } from "../../services/domain/order/rules/order.ts";
import { buildOrder, buildRequirement, T0 } from "../support/orders/order-factory.ts";
import { act, DOCUMENTS, PHONES, SLUGS, type Act } from "./order-acts.ts";
import { OrderModel } from "./order-model.ts";

export interface Scenario {
  readonly draft: Order;
  readonly acts: readonly Act[];
}

/** A draft with documents and texts, mandatory and optional, with and without values. */
function draft(provider: string, numbers: readonly string[], filled: readonly string[]): Order {
  const requirements = SLUGS.map((slug) => {
    const hasValue = filled.includes(slug);
    const isDocument = DOCUMENTS.has(slug);
    return buildRequirement({
      slug,
      field_type: isDocument ? "document" : "text",
      mandatory: slug !== "pin_passcode" && slug !== "auth_person_name",
      has_value: hasValue,
      document_id: hasValue && isDocument ? slug : null,
      document_date: hasValue && isDocument ? T0 : null,
      max_age_days: slug === "invoice" ? 30 : null,
      check_state: hasValue && isDocument ? "passed" : "none",
    });
  });
  return buildOrder({
    provider,
    requirements,
    requirements_status: requirements.every((one) => !one.mandatory || one.has_value),
    numbers: numbers.map((phone_number) => ({
      phone_number,
      status: "pending",
      failure_code: null,
      activated_at: null,
    })),
  });
}

/** The model of a draft. */
export function modelOf(order: Order): OrderModel {
  const model = new OrderModel();
  for (const one of order.requirements) {
    model.fields[one.slug] = {
      status: one.status,
      reason: null,
      hasValue: one.has_value,
      check: one.check_state,
      document: one.document_id,
      dated: one.document_date?.getTime() ?? null,
      mandatory: one.mandatory,
      maxAgeDays: one.max_age_days,
    };
  }
  for (const { phone_number } of order.numbers) {
    model.numbers[phone_number] = { status: "pending", code: null };
  }
  return model;
}

/** Arbitrary drafts at one of the providers, each with its acts. */
export function scenariosWith(providers: Iterable<string>): fc.Arbitrary<Scenario> {
  return fc
    .record({
      provider: fc.constantFrom(...providers),
      numbers: fc.subarray([...PHONES], { minLength: 1 }),
      filled: fc.oneof(fc.constant([...SLUGS]), fc.subarray([...SLUGS])),
      acts: fc.array(act, { maxLength: 100, size: "max" }),
    })
    .map(({ provider, numbers, filled, acts }) => {
      return { draft: draft(provider, numbers, filled), acts };
    });
}
