import { decide, type OrderCommand } from "../../../services/domain/order/rules/decide.ts";
import type { OrderDecision } from "../../../services/domain/order/rules/order-decision.ts";
import { SYSTEM_ACTOR, type Order } from "../../../services/domain/order/rules/order.ts";
import type { Trigger } from "../../../services/domain/order/rules/transitions.ts";
import { buildStatusUpdate, T0 } from "./order-factory.ts";

/** A second after the order's last change. */
export const context = { actor: SYSTEM_ACTOR, now: new Date(T0.getTime() + 1_000) };

export const statusUpdate = (fields: Parameters<typeof buildStatusUpdate>[0]): OrderCommand => ({
  command: "status_update",
  update: buildStatusUpdate(fields),
});

/** desk_reject needs a requirement, and numbers_settled follows from other updates. */
export type Commanded = Exclude<Trigger, "desk_reject" | "numbers_settled">;

/** One command for each trigger. */
export const COMMANDS: Record<Commanded, OrderCommand> = {
  submit: { command: "submit" },
  desk_confirm: { command: "review", attempt: 1, decisions: [], confirm: true },
  customer_cancel: { command: "cancel", by: "customer", reason: null, cutoffMs: 0 },
  ops_close: { command: "cancel", by: "ops", reason: "asked by phone", cutoffMs: 0 },
  acknowledged: statusUpdate({ kind: "acknowledged" }),
  carrier_date: statusUpdate({ kind: "date_confirmed", foc_at: "2026-11-20T10:00:00-05:00" }),
  carrier_rejected: statusUpdate({ kind: "rejected", code: "pin_invalid" }),
  carrier_refused: statusUpdate({ kind: "refused" }),
  activating: statusUpdate({ kind: "activating" }),
  number_active: statusUpdate({ kind: "number_active" }),
  number_failed: statusUpdate({ kind: "number_failed", code: "sv_failure" }),
  cancel_confirmed: statusUpdate({ kind: "cancel_confirmed" }),
  cancel_refused: statusUpdate({ kind: "cancel_refused" }),
  change_refused: statusUpdate({ kind: "change_refused" }),
};

/** @throws where the command is refused */
export function run(order: Order, command: OrderCommand): OrderDecision {
  const decision = decide(order, command, context);
  if (!decision.allowed) throw new Error(decision.refusal.detail);
  return decision;
}

/** The statuses from and to which the order moved. */
export function movesOf({ effects }: OrderDecision): [string, string][] {
  return effects.flatMap((effect) =>
    effect.effect === "event" && effect.type === "porting_order.status_changed"
      ? [[effect.payload.previous_status, effect.payload.new_status] as [string, string]]
      : [],
  );
}

/** The types of the published events. */
export function eventsOf({ effects }: OrderDecision): string[] {
  return effects.flatMap((effect) => (effect.effect === "event" ? [effect.type] : []));
}
