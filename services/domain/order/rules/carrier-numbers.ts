import { saidAt, type ReceivedUpdate } from "./carrier-steps.ts";
import { exceptionOf } from "./carrier-exception.ts";
import { backToCustomer, withActivationsPublished } from "./carrier-ending.ts";
import { add, change, move, takes, type OrderDecision } from "./order-decision.ts";
import { isMoving, newlyActive, newlyFailed, withActivated, withFailed } from "./order-numbers.ts";
import { isEnded } from "./status-facts.ts";
import { failureCodeOf } from "./status-update.ts";
import { moveOf } from "./transitions.ts";

/** Marks numbers as active, including a failed one if the carrier lists it. */
export function withActiveNumbers(
  decision: OrderDecision,
  received: ReceivedUpdate,
): OrderDecision {
  const { update, now } = received;
  const activated = newlyActive(decision.order.numbers, update);
  if (activated.length === 0) return decision;
  const activatedAt = saidAt(received);
  const numbers = withActivated(decision.order.numbers, activated, activatedAt);
  return add(
    change(decision, { numbers, updated_at: now }),
    ...activated.map(({ phone_number }) => ({
      effect: "number_active" as const,
      phone_number,
      activated_at: activatedAt,
    })),
  );
}

/** Records numbers that failed for good. */
export function withFailedNumbers(
  decision: OrderDecision,
  { update, now }: ReceivedUpdate,
): OrderDecision {
  const failed = newlyFailed(decision.order.numbers, update);
  if (failed.length === 0) return decision;
  const code = failureCodeOf(update);
  const numbers = withFailed(decision.order.numbers, failed, code);
  return add(change(decision, { numbers, updated_at: now }), {
    effect: "timeline",
    kind: "number",
    data: { failed: failed.length, code, text: update.text },
  });
}

/** Ends the activation of an order once none of its numbers is still being moved. */
export function settle(decision: OrderDecision, received: ReceivedUpdate): OrderDecision {
  const by = "numbers_settled";
  if (!takes(decision, by) || decision.order.numbers.some(isMoving)) return decision;
  if (isEnded({ status: moveOf(decision.order, by) })) {
    return withActivationsPublished(move(decision, { by, now: received.now }));
  }
  return backToCustomer(decision, { by, exceptions: failuresOf(decision, received) }, received);
}

/** One exception per failure code, with the carrier's text for the code that it reported. */
function failuresOf({ order }: OrderDecision, { update, now }: ReceivedUpdate) {
  const codes = [...new Set(order.numbers.map((number) => number.failure_code))];
  const reported = failureCodeOf(update);
  return codes.map((code) =>
    exceptionOf(order, { code, text: code === reported ? update.text : null }, now),
  );
}
