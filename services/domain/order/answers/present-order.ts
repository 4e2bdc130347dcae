import { definitionOf } from "../../requirement/rules/catalogue.ts";
import { presentRequirement } from "../../requirement/answers/present-requirement.ts";
import { nextActionOf } from "../rules/next-action.ts";
import type { Order } from "../rules/order.ts";
import { snapshotOf } from "../rules/snapshot.ts";

function iso(instant: Date | null): string | null {
  return instant === null ? null : instant.toISOString();
}

/** The order as the APIs answer it (docs/contract/customer-api.md, Porting orders). */
export function presentOrder(order: Order): Record<string, unknown> {
  return {
    ...snapshotOf(order),
    webhook_url: order.webhook_url,
    losing_carrier: order.losing_carrier,
    requirements: order.requirements.map((requirement) =>
      presentRequirement(requirement, definitionOf(order, requirement.slug)),
    ),
    numbers: order.numbers.map((number) => ({
      phone_number: number.phone_number,
      status: number.status,
      failure_code: number.failure_code,
      activated_at: iso(number.activated_at),
    })),
    exceptions: order.exceptions,
    next_action: nextActionOf(order),
    created_at: iso(order.created_at),
    updated_at: iso(order.updated_at),
    submitted_at: iso(order.submitted_at),
    closed_at: iso(order.closed_at),
  };
}
