import type { DecisionContext } from "./effects.ts";
import { EARLY_AND_CLOSE, isEarlyDateAlert, needsConfirmation } from "./order-changes.ts";
import { change, type OrderDecision } from "./order-decision.ts";
import type { Order } from "./order.ts";

type Times = Pick<DecisionContext, "now" | "confirmMs">;

function leftUntil({ foc_actual: date }: Pick<Order, "foc_actual">, { now }: Times): number {
  return date === null ? 0 : Date.parse(date) - now.getTime();
}

/**
 * When the wait for the customer's confirmation counts as begun: so much earlier that it ends halfway to a close date, which
 * leaves time to ask the carrier.
 */
export function confirmationSince(order: Order, times: Times): Date {
  const { now, confirmMs = 0 } = times;
  const left = leftUntil(order, times);
  const cut = left > 0 ? Math.max(0, confirmMs - left / 2) : 0;
  return new Date(now.getTime() - cut);
}

/** Alerts the desk at once where that wait is cut short; what the customer does about the date ends the alert. */
export function withEarlyDateAlert(
  decision: OrderDecision,
  before: Order,
  { actor, ...times }: DecisionContext,
): OrderDecision {
  const { order } = decision;
  if (!needsConfirmation(order)) {
    const isSettled = actor.type === "customer" && isEarlyDateAlert(order.attention);
    return isSettled ? change(decision, { attention: null }) : decision;
  }
  if (needsConfirmation(before) && before.foc_actual === order.foc_actual) {
    const isCleared = order.attention === null && isEarlyDateAlert(before.attention);
    return isCleared ? change(decision, { attention: before.attention }) : decision;
  }
  const { now, confirmMs = 0 } = times;
  if (confirmMs === 0 || leftUntil(order, times) >= 2 * confirmMs) return decision;
  const attention = { reason: EARLY_AND_CLOSE, raised_at: now.toISOString() };
  return change(decision, { attention });
}
