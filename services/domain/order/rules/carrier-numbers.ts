import type { Heard } from "./carrier-steps.ts";
import { exceptionOf } from "./carrier-exception.ts";
import { backToCustomer, withActivationsPublished } from "./carrier-ending.ts";
import { add, change, move, takes, type OrderDecision } from "./order-decision.ts";
import { isMoving, newlyActive, newlyFailed, withActivated, withFailed } from "./order-numbers.ts";
import { isEnded } from "./status-facts.ts";
import { failureCodeOf } from "./status-update.ts";
import { moveOf } from "./transitions.ts";

/** Turns numbers active, a failed one too where the carrier names it. */
export function withActiveNumbers(decision: OrderDecision, { update, now }: Heard): OrderDecision {
  const turned = newlyActive(decision.order.numbers, update);
  if (turned.length === 0) return decision;
  const activatedAt = update.occurred_at < now ? update.occurred_at : now;
  const numbers = withActivated(decision.order.numbers, turned, activatedAt);
  return add(
    change(decision, { numbers, updated_at: now }),
    ...turned.map(({ phone_number }) => ({
      effect: "number_active" as const,
      phone_number,
      activated_at: activatedAt,
    })),
  );
}

/** Notes numbers that failed for good. */
export function withFailedNumbers(decision: OrderDecision, { update, now }: Heard): OrderDecision {
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

/** What an order whose numbers are being moved comes to once none of them is on its way any more. */
export function settle(decision: OrderDecision, heard: Heard): OrderDecision {
  const by = "numbers_settled";
  if (!takes(decision, by) || decision.order.numbers.some(isMoving)) return decision;
  if (isEnded({ status: moveOf(decision.order, by) })) {
    return withActivationsPublished(move(decision, { by, now: heard.now }));
  }
  return backToCustomer(decision, { by, exceptions: failuresOf(decision, heard), now: heard.now });
}

/** Every number failed: an exception per code, with the carrier's text where it is of that code. */
function failuresOf({ order }: OrderDecision, { update, now }: Heard) {
  const codes = [...new Set(order.numbers.map((number) => number.failure_code))];
  const reported = failureCodeOf(update);
  return codes.map((code) =>
    exceptionOf(order, { code, text: code === reported ? update.text : null }, now),
  );
}
