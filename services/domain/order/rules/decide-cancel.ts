import type { DecisionContext } from "./effects.ts";
import type { CancelRequest, ClosedBy, Order, OrderStatus } from "./order.ts";
import type { Decision, Story } from "./order-decision.ts";
import { add, allow, begin, move, refuse } from "./order-decision.ts";
import { targetsOf } from "./transitions.ts";

export interface CancelCommand {
  readonly by: "customer" | "ops";
  readonly reason: string | null;
  /** How long before the confirmed date a customer may still cancel. */
  readonly cutoffMs: number;
}

/** Ends an order: at once where the carrier never saw it, else once the carrier has confirmed. */
export function decideCancel(
  order: Order,
  { by, reason, cutoffMs }: CancelCommand,
  { now }: DecisionContext,
): Decision {
  const trigger = by === "customer" ? "customer_cancel" : "ops_close";
  const targets = targetsOf(order.status, trigger);
  if (order.status === "activating") {
    return refuse("cancel_too_late", "The numbers are being moved.");
  }
  if (targets.length === 0) {
    return refuse("invalid_state", `An order in ${order.status} cannot be cancelled.`);
  }
  if (by === "customer" && isPastCutoff(order, cutoffMs, now)) {
    return refuse("cancel_too_late", "The confirmed date is too near.");
  }
  const noted = add(begin(order), {
    effect: "timeline",
    kind: "status",
    data: { cancel_asked_by: by, reason },
  });
  if (order.status === "cancel_pending") {
    return allow(close(noted, order.cancel?.asked_by ?? by, now));
  }
  const sent = order.request_version > 0;
  if (!sent) return allow(close(noted, by, now));
  const cancel: CancelRequest = {
    asked_by: by,
    asked_at: now.toISOString(),
    from_status: order.status,
    noted_status: null,
    noted_foc: null,
  };
  const fields = { cancel, attention: null };
  const pending = move(withoutCase(noted), { to: "cancel_pending", now, fields });
  return allow(add(pending, { effect: "carrier_task", kind: "cancel" }));
}

function isPastCutoff(order: Order, cutoffMs: number, now: Date): boolean {
  if (order.status !== "foc_scheduled" || order.foc_actual === null) return false;
  return Date.parse(order.foc_actual) - now.getTime() < cutoffMs;
}

/** Moves to cancelled; numbers that did not become active are cancelled with it. */
export function close(story: Story, closedBy: ClosedBy, now: Date): Story {
  const numbers = story.order.numbers.map((number) =>
    number.status === "pending" || number.status === "activating"
      ? { ...number, status: "cancelled" as const }
      : number,
  );
  const fields = { closed_by: closedBy, numbers, attention: null };
  return withoutDates(move(withoutCase(story), { to: "cancelled", now, fields }));
}

/** An open case at the desk is withdrawn when its order leaves the review without it. */
export function withoutCase(story: Story): Story {
  if (story.order.status !== "in_review") return story;
  const attempt = story.order.review_attempt;
  return add(story, { effect: "review_request", kind: "withdraw_case", attempt });
}

/** The clock has nothing more to say about the date. */
export function withoutDates(story: Story): Story {
  return add(story, { effect: "deadline", kind: "foc_reached", due_at: null });
}

/** Where an order stands after its cancellation was refused. */
export function statusAfterRefusal(cancel: CancelRequest): OrderStatus {
  const early = cancel.from_status === "submitted" || cancel.from_status === "in_process";
  return early ? (cancel.noted_status ?? cancel.from_status) : cancel.from_status;
}
