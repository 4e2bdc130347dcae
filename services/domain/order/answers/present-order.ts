import { systemClock } from "../../../platform/clock.ts";
import { definitionOf } from "../../requirement/rules/catalogue.ts";
import { presentRequirement } from "../../requirement/answers/present-requirement.ts";
import type { DueTimes } from "../rules/due-times.ts";
import { nextActionOf } from "../rules/next-action.ts";
import type { Order } from "../rules/order.ts";
import { snapshotOf } from "../rules/snapshot.ts";

/** What grows with an order, so that lists leave it out. */
export const ORDER_PARTS = ["requirements", "numbers", "exceptions"] as const;

export type OrderPart = (typeof ORDER_PARTS)[number];

const ALL: ReadonlySet<OrderPart> = new Set(ORDER_PARTS);

/**
 * The order as the APIs return it (docs/contract/customer-api.md, Porting orders), with what happens by itself, and with
 * these of its parts. Put together by assignment, because spreads of so many fields take several times as long.
 */
export function presentOrder(
  order: Order,
  due: DueTimes,
  parts: ReadonlySet<OrderPart> = ALL,
): Record<string, unknown> {
  const { webhook_url, losing_carrier, closed_reason } = order;
  const { created_at, updated_at, submitted_at, closed_at } = order;
  const next_action = nextActionOf(order, due, systemClock.now());
  const own = { webhook_url, losing_carrier, closed_reason, next_action };
  const times = { created_at, updated_at, submitted_at, closed_at };
  return Object.assign(snapshotOf(order), own, times, partsOf(order, parts));
}

function partsOf(order: Order, parts: ReadonlySet<OrderPart>): Record<string, unknown> {
  const { numbers, exceptions } = order;
  return {
    ...(parts.has("requirements") && { requirements: requirementsOf(order) }),
    ...(parts.has("numbers") && { numbers }),
    ...(parts.has("exceptions") && { exceptions }),
  };
}

function requirementsOf(order: Order): Record<string, unknown>[] {
  const phoneNumber = order.numbers[0]?.phone_number ?? "";
  return order.requirements.map((requirement) =>
    presentRequirement(requirement, definitionOf(order, requirement.slug), phoneNumber),
  );
}
