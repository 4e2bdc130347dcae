import type { Fault } from "../../../platform/errors.ts";
import { areMet } from "../../requirement/rules/readiness.ts";
import type { OrderRequirement } from "../../requirement/rules/requirement.ts";
import type { Effect, Refusal } from "./effects.ts";
import type { Order } from "./order.ts";
import { snapshotOf } from "./snapshot.ts";
import { isEnded } from "./status-facts.ts";
import { moveOf, targetOf, type Trigger } from "./transitions.ts";

/** A decision as far as it has come: what the order has become, and what follows from it, in sequence. */
export interface Story {
  readonly order: Order;
  readonly effects: readonly Effect[];
}

export type Decision =
  ({ readonly allowed: true } & Story) | { readonly allowed: false; readonly refusal: Refusal };

/** The fields of an order that a decision may change besides its status. */
export type OrderChange = Partial<
  Omit<Order, "id" | "account_id" | "batch_id" | "created_at" | "status">
>;

export function begin(order: Order): Story {
  return { order, effects: [] };
}

export function change(story: Story, fields: OrderChange): Story {
  return { ...story, order: { ...story.order, ...fields } };
}

export function add(story: Story, ...effects: readonly Effect[]): Story {
  return { ...story, effects: [...story.effects, ...effects] };
}

export function allow(story: Story): Decision {
  return { allowed: true, ...story };
}

export function refuse(
  code: Refusal["code"],
  detail: string,
  blocking: Refusal["blocking"] = [],
): Decision {
  return { allowed: false, refusal: { code, detail, blocking } };
}

/** A request that is wrong in itself, seen against the order. */
export function refuseRequest(detail: string, faults: readonly Fault[]): Decision {
  return { allowed: false, refusal: { code: "validation_failed", detail, faults } };
}

/** Changes some requirements, and with them whether all that is mandatory is met. */
export function changeRequirements(
  story: Story,
  changeOne: (requirement: OrderRequirement) => OrderRequirement,
): Story {
  const requirements = story.order.requirements.map(changeOne);
  return change(story, { requirements, requirements_status: areMet(requirements) });
}

/** Whether the table has anything for the trigger where the order stands. */
export function takes({ order }: Story, trigger: Trigger): boolean {
  return targetOf(order, trigger) !== null;
}

/** What moves the order, and what else of it changes in the same step. */
export interface Move {
  readonly by: Trigger;
  readonly now: Date;
  readonly fields?: OrderChange;
}

/**
 * Moves the order where the table says, with its timeline entry and `status_changed`.
 * @throws where the table has no such move: callers ask first
 */
export function move(story: Story, { by, now, fields = {} }: Move): Story {
  const previous_status = story.order.status;
  const status = moveOf(story.order, by);
  const closed_at = isEnded({ status }) ? { closed_at: now } : {};
  const order = { ...story.order, ...fields, ...closed_at, status, updated_at: now };
  const data = { previous_status, new_status: status };
  return add(
    { ...story, order },
    { effect: "timeline", kind: "status", data },
    {
      effect: "event",
      type: "porting_order.status_changed",
      payload: { porting_order: snapshotOf(order), ...data },
    },
  );
}
