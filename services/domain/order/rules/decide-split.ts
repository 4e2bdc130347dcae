import type { Fault } from "../../../platform/errors.ts";
import { splitInto } from "./creation-effects.ts";
import { withoutNumbers } from "./decide-customer.ts";
import { decideResubmit } from "./decide-desk-owned.ts";
import type { DecisionContext } from "./effects.ts";
import {
  allow,
  begin,
  changeRequirements,
  refuseRequest,
  type Decision,
} from "./order-decision.ts";
import { INITIAL_STATUS, type Order } from "./order.ts";
import { onlyOf } from "../../requirement/rules/number-values.ts";
import type { OrderRequirement } from "../../requirement/rules/requirement.ts";

/** How the desk splits an order: the first group stays, and each other one becomes an order. */
export interface Split {
  readonly groups: readonly (readonly string[])[];
  /** The ids of the new orders, in the sequence of their groups. */
  readonly ids: readonly string[];
  readonly note: string;
}

/** The faults of groups that do not have each number of the order once. */
export function findSplitFaults(order: Order, groups: Split["groups"]): Fault[] {
  const left = new Set(order.numbers.map((number) => number.phone_number));
  const wrong = groups.flatMap((group, g) =>
    group.flatMap((number, n): Fault[] => {
      if (left.delete(number)) return [];
      const isOwn = order.numbers.some((one) => one.phone_number === number);
      const code = isOwn ? "duplicate_number" : "unknown_number";
      const detail = isOwn ? "It is in a group already." : "The order has no such number.";
      return [{ pointer: `#/groups/${g}/${n}`, code, detail }];
    }),
  );
  if (left.size === 0) return wrong;
  const detail = `Each number of the order is in a group; these are in none: ${[...left].join(", ")}.`;
  return [...wrong, { pointer: "#/groups", code: "missing_number", detail }];
}

/**
 * Takes the numbers of the other groups out of an order that waits for the desk, and submits the rest again. The new
 * orders begin as `partsOf` has them, and are submitted by themselves.
 */
export function decideSplit(order: Order, split: Split, context: DecisionContext): Decision {
  const { groups, note } = split;
  const faults = findSplitFaults(order, groups);
  const [own = [], ...others] = groups;
  const kept =
    faults.length > 0
      ? begin(order)
      : changeRequirements(
          withoutNumbers(begin(order), others.flat()),
          billingReviewed(order, own),
        );
  const submitted = decideResubmit(kept.order, note, context);
  if (!submitted.allowed) return submitted;
  if (faults.length > 0) return refuseRequest("The order cannot be split so.", faults);
  const told = splitInto([kept.order, ...partsOf(order, split, context.now)]);
  return allow({ ...submitted, effects: [...kept.effects, told, ...submitted.effects] });
}

/** A billing number that goes with another part was approved for the whole: here it is reviewed again. */
function billingReviewed({ numbers }: Order, own: readonly string[]) {
  const moved = numbers.map((one) => one.phone_number).filter((one) => !own.includes(one));
  return (requirement: OrderRequirement): OrderRequirement => {
    const { slug, status, shown_value: value } = requirement;
    const isMoved = slug === "billing_phone_number" && moved.includes(value ?? "");
    if (!isMoved || status !== "approved") return requirement;
    return { ...requirement, status: "requirement-info-pending" };
  };
}

/** The new orders as they begin: like the order that is split, reviewed as often, and never sent. */
export function partsOf(order: Order, { groups, ids }: Split, now: Date): Order[] {
  const [, ...others] = groups;
  const numbersIn = (group: readonly string[]) =>
    order.numbers.filter((number) => group.includes(number.phone_number));
  return others.map((group, n) => ({
    ...order,
    id: ids[n] ?? "",
    status: INITIAL_STATUS,
    ...{ provider_status: "", provider_status_at: null, request_version: 0, event_sequence: 0 },
    ...{ exceptions: [], cancel: null, attention: null, changes: [] },
    ...{ foc_actual: null, foc_said_at: null },
    numbers: numbersIn(group),
    requirements: order.requirements
      .map((one) => onlyOf(one, numbersIn(group)))
      .map(billingReviewed(order, group)),
    created_at: now,
    updated_at: now,
  }));
}
