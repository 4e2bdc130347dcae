import type { Fault } from "../../../platform/errors.ts";
import type { Effect, Refusal } from "./effects.ts";
import type { Order, OrderStatus } from "./order.ts";
import { TERMINAL_STATUSES } from "./order.ts";
import { areMet } from "../../requirement/rules/readiness.ts";
import type { OrderRequirement } from "../../requirement/rules/requirement.ts";
import { snapshotOf } from "./snapshot.ts";
import type { Trigger } from "./transitions.ts";
import { targetsOf } from "./transitions.ts";

/** An order on its way through one decision: what it has become and what has come of it so far. */
export interface Story {
  readonly order: Order;
  readonly effects: readonly Effect[];
}

export type Decision =
  ({ readonly allowed: true } & Story) | { readonly allowed: false; readonly refusal: Refusal };

/** The fields of an order that a decision may change. */
export type OrderChange = Partial<Omit<Order, "id" | "account_id" | "batch_id" | "created_at">>;

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

/** Whether the table lets the trigger lead from where the story stands to `to`. */
export function canMove(story: Story, trigger: Trigger, to: OrderStatus): boolean {
  return targetsOf(story.order.status, trigger).includes(to);
}

/** A step to another status, with what else of the order changes in it. */
export interface Move {
  readonly to: OrderStatus;
  readonly now: Date;
  readonly fields?: OrderChange;
}

/**
 * Moves the order and tells it: the timeline entry and `status_changed`. Callers ask `canMove` first; a move that the
 * table lacks is a defect of the caller.
 */
export function move(story: Story, { to, now, fields = {} }: Move): Story {
  const previous = story.order.status;
  const closed = TERMINAL_STATUSES.has(to) ? { closed_at: now } : {};
  const moved = change(story, { ...fields, ...closed, status: to, updated_at: now });
  return add(
    moved,
    {
      effect: "timeline",
      kind: "status",
      data: { previous_status: previous, new_status: to },
    },
    {
      effect: "event",
      type: "porting_order.status_changed",
      payload: {
        porting_order: snapshotOf(moved.order),
        previous_status: previous,
        new_status: to,
      },
    },
  );
}
