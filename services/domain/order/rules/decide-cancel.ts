import { closeOrder, reasonOfCancel, withoutCase } from "./closed-reason.ts";
import type { DecisionContext, Effect } from "./effects.ts";
import type { CancelRequest, ClosedReason, Order } from "./order.ts";
import { add, allow, begin, move, refuse, type Decision } from "./order-decision.ts";
import { factsOf, hasDateConfirmed, isEnded } from "./status-facts.ts";
import { moveOf, targetOf } from "./transitions.ts";

export interface CancelCommand {
  readonly by: "customer" | "ops";
  readonly reason: string | null;
  /** Why, for the desk alone. */
  readonly internalReason?: string | undefined;
  /** Set where the system asks in the name of ops. */
  readonly closedReason?: ClosedReason;
  /** How long before the confirmed date a customer may still cancel. */
  readonly cutoffMs: number;
}

/** Cancels an order: at once if the carrier never received it, otherwise once the carrier has confirmed. */
export function decideCancel(
  order: Order,
  { by: askedBy, reason, internalReason, closedReason, cutoffMs }: CancelCommand,
  { now }: DecisionContext,
): Decision {
  const by = askedBy === "customer" ? "customer_cancel" : "ops_close";
  if (targetOf(order, by) === null) {
    return factsOf(order.status).moving
      ? refuse(
          "cancel_too_late",
          "The numbers are being moved; only the losing carrier can stop it.",
        )
      : refuse(
          "invalid_state",
          `The order is ${isEnded(order) ? "closed" : "being cancelled"} already (${order.status}).`,
        );
  }
  if (askedBy === "customer" && isPastCutoff(order, cutoffMs, now)) {
    return refuse("cancel_too_late", cutoffText(order.foc_actual ?? "", cutoffMs));
  }
  const noted = add(
    begin(order),
    { effect: "timeline", kind: "status", data: { cancel_asked_by: askedBy, reason } },
    ...internalNote(internalReason),
  );
  const own = closedReason ?? reasonOfCancel(askedBy, reason);
  if (isEnded({ status: moveOf(order, by) })) {
    const closedBy = order.cancel?.asked_by ?? askedBy;
    return allow(closeOrder(noted, { by, now, closedBy, reason: order.cancel?.reason ?? own }));
  }
  const cancel: CancelRequest = {
    asked_by: askedBy,
    asked_at: now.toISOString(),
    reason: own,
    from_status: order.status,
    noted_status: null,
    noted_foc: null,
  };
  const pending = move(withoutCase(noted), { by, now, fields: { cancel, attention: null } });
  return allow(add(pending, { effect: "carrier_task", kind: "cancel" }));
}

function internalNote(body: string | undefined): Effect[] {
  if (body === undefined) return [];
  const data = { author_type: "ops", body };
  return [{ effect: "timeline", kind: "comment", data, internal: true }];
}

const HOUR_MS = 3_600_000;

function cutoffText(focActual: string, cutoffMs: number): string {
  const until = new Date(Date.parse(focActual) - cutoffMs).toISOString();
  const hours = Number((cutoffMs / HOUR_MS).toFixed(2));
  return `The port date is ${focActual}; an order can be cancelled until ${hours} hours before, which was ${until}.`;
}

function isPastCutoff(order: Order, cutoffMs: number, now: Date): boolean {
  if (!hasDateConfirmed(order.status) || order.foc_actual === null) return false;
  return Date.parse(order.foc_actual) - now.getTime() < cutoffMs;
}
