import { systemClock } from "../../../platform/clock.ts";
import { definitionOf } from "../../requirement/rules/catalogue.ts";
import { presentRequirement } from "../../requirement/answers/present-requirement.ts";
import type { DueTimes } from "../rules/due-times.ts";
import { nextActionOf } from "../rules/next-action.ts";
import type { Order } from "../rules/order.ts";
import { snapshotOf } from "../rules/snapshot.ts";

/** The order as the APIs return it (docs/contract/customer-api.md, Porting orders), with what happens by itself. */
export function presentOrder(order: Order, due: DueTimes): Record<string, unknown> {
  const { webhook_url, losing_carrier, numbers, exceptions, closed_reason } = order;
  const { created_at, updated_at, submitted_at, closed_at } = order;
  const phoneNumber = numbers[0]?.phone_number ?? "";
  const requirements = order.requirements.map((requirement) =>
    presentRequirement(requirement, definitionOf(order, requirement.slug), phoneNumber),
  );
  return {
    ...snapshotOf(order),
    ...{ webhook_url, losing_carrier, requirements, numbers, exceptions, closed_reason },
    next_action: nextActionOf(order, due, systemClock.now()),
    ...{ created_at, updated_at, submitted_at, closed_at },
  };
}
