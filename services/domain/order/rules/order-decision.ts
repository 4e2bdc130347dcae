import type { Fault } from "../../../platform/errors.ts";
import { asMandatoryNow } from "../../requirement/rules/catalogue.ts";
import { areMet } from "../../requirement/rules/readiness.ts";
import type { OrderRequirement } from "../../requirement/rules/requirement.ts";
import type { Effect, Refusal } from "./effects.ts";
import type { Order } from "./order.ts";
import { snapshotOf } from "./order-messages.ts";
import { isEnded } from "./status-facts.ts";
import { moveOf, targetOf, type Trigger } from "./transitions.ts";

/** An order decision in progress: the changed order and its effects so far, in sequence. */
export interface OrderDecision {
  readonly order: Order;
  readonly effects: readonly Effect[];
}

export type Decision =
  | ({ readonly allowed: true } & OrderDecision)
  | { readonly allowed: false; readonly refusal: Refusal };

/** The fields of an order that a decision may change besides its status. */
type OrderChange = Partial<Omit<Order, "id" | "account_id" | "batch_id" | "created_at" | "status">>;

export function begin(order: Order): OrderDecision {
  return { order, effects: [] };
}

export function change(decision: OrderDecision, fields: OrderChange): OrderDecision {
  return { ...decision, order: { ...decision.order, ...fields } };
}

export function add(decision: OrderDecision, ...effects: readonly Effect[]): OrderDecision {
  return { ...decision, effects: [...decision.effects, ...effects] };
}

export function allow(decision: OrderDecision): Decision {
  return { allowed: true, ...decision };
}

export function refuse(code: Refusal["code"], detail: string): Decision {
  return { allowed: false, refusal: { code, detail } };
}

/** Refuses a request that is itself invalid, given the order. */
export function refuseRequest(detail: string, faults: readonly Fault[]): Decision {
  return { allowed: false, refusal: { code: "validation_failed", detail, faults } };
}

/** Changes some requirements and recomputes `requirements_status`. */
export function changeRequirements(
  decision: OrderDecision,
  changeOne: (requirement: OrderRequirement) => OrderRequirement,
): OrderDecision {
  const requirements = asMandatoryNow(decision.order.requirements.map(changeOne));
  return change(decision, { requirements, requirements_status: areMet(requirements) });
}

/** Whether the table has a move for the trigger from the order's status. */
export function takes({ order }: OrderDecision, trigger: Trigger): boolean {
  return targetOf(order, trigger) !== null;
}

/** The trigger of a move, and the other fields that change with it. */
export interface Move {
  readonly by: Trigger;
  readonly now: Date;
  readonly fields?: OrderChange;
  /** What the timeline's entry has beside the statuses. */
  readonly noted?: Readonly<Record<string, unknown>>;
}

/**
 * Moves the order by the table, with its timeline entry and `status_changed` event.
 * @throws if the table has no such move; callers check first
 */
export function move(
  decision: OrderDecision,
  { by, now, fields = {}, noted = {} }: Move,
): OrderDecision {
  const previous_status = decision.order.status;
  const status = moveOf(decision.order, by);
  const closed_at = isEnded({ status }) ? { closed_at: now } : {};
  const order = { ...decision.order, ...fields, ...closed_at, status, updated_at: now };
  const data = { previous_status, new_status: status };
  return add(
    { ...decision, order },
    { effect: "timeline", kind: "status", data: { ...data, ...noted } },
    {
      effect: "event",
      type: "porting_order.status_changed",
      payload: { porting_order: snapshotOf(order), ...data },
    },
  );
}
