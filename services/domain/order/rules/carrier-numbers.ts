import type { Heard } from "./carrier-steps.ts";
import { exceptionOf } from "./carrier-exception.ts";
import { backToCustomer, withActivationsPublished } from "./carrier-ending.ts";
import { add, change, move, takes, type Story } from "./order-decision.ts";
import { isMoving, newlyActive, newlyFailed, withActivated, withFailed } from "./order-numbers.ts";
import { isEnded } from "./status-facts.ts";
import { failureCodeOf } from "./status-update.ts";
import { moveOf } from "./transitions.ts";

/** Turns numbers active, a failed one too where the carrier names it. */
export function withActiveNumbers(story: Story, { update, now }: Heard): Story {
  const turned = newlyActive(story.order.numbers, update);
  if (turned.length === 0) return story;
  const activatedAt = update.occurred_at < now ? update.occurred_at : now;
  const numbers = withActivated(story.order.numbers, turned, activatedAt);
  return add(
    change(story, { numbers, updated_at: now }),
    ...turned.map(({ phone_number }) => ({
      effect: "number_active" as const,
      phone_number,
      activated_at: activatedAt,
    })),
  );
}

/** Notes numbers that failed for good. */
export function withFailedNumbers(story: Story, { update, now }: Heard): Story {
  const failed = newlyFailed(story.order.numbers, update);
  if (failed.length === 0) return story;
  const code = failureCodeOf(update);
  const numbers = withFailed(story.order.numbers, failed, code);
  return add(change(story, { numbers, updated_at: now }), {
    effect: "timeline",
    kind: "number",
    data: { failed: failed.length, code, text: update.text },
  });
}

/** What an order whose numbers are being moved comes to once none of them is on its way any more. */
export function settle(story: Story, heard: Heard): Story {
  const by = "numbers_settled";
  if (!takes(story, by) || story.order.numbers.some(isMoving)) return story;
  if (isEnded({ status: moveOf(story.order, by) })) {
    return withActivationsPublished(move(story, { by, now: heard.now }));
  }
  return backToCustomer(story, { by, exceptions: failuresOf(story, heard), now: heard.now });
}

/** Every number failed: an exception per code, with the carrier's text where it is of that code. */
function failuresOf({ order }: Story, { update, now }: Heard) {
  const codes = [...new Set(order.numbers.map((number) => number.failure_code))];
  const reported = failureCodeOf(update);
  return codes.map((code) =>
    exceptionOf(order, { code, text: code === reported ? update.text : null }, now),
  );
}
