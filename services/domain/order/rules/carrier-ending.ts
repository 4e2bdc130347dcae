import { afresh, backToCustomer, endPartially, failureCodeOf } from "./carrier-activation.ts";
import { exceptionOf } from "./carrier-exception.ts";
import type { CarrierWord } from "./status-update.ts";
import { close, statusAfterRefusal, withoutDates } from "./decide-cancel.ts";
import type { Order } from "./order.ts";
import type { Story } from "./order-decision.ts";
import { add, canMove, move } from "./order-decision.ts";

function hasActiveNumber({ numbers }: Order): boolean {
  return numbers.some((number) => number.status === "active");
}

/** A rejection that can be repaired: back to the customer, with the carrier's exception. */
export function withRejection(story: Story, word: CarrierWord, now: Date): Story {
  const { status } = story.order;
  if (status === "cancel_pending") return withEnd(story, now);
  if (status === "activating" && hasActiveNumber(story.order)) {
    return endPartially(story, { status: "failed", failure_code: failureCodeOf(word) }, now);
  }
  if (!canMove(story, "carrier_rejected", "rejection")) return story;
  return backToCustomer(story, [exceptionOf(story.order, word, now)], now);
}

/** The carrier ends it: a final refusal, a cancellation that it confirms or makes unasked. */
export function withEnd(story: Story, now: Date): Story {
  const { order } = story;
  const closedBy = order.cancel?.asked_by ?? "provider";
  if (order.status === "activating" && hasActiveNumber(order)) {
    return endPartially(story, { status: "cancelled", failure_code: null }, now);
  }
  if (order.request_version === 0 || !canMove(story, "carrier_refused", "cancelled")) return story;
  return close(story, closedBy, now);
}

/** The carrier will not cancel: the order goes on from where it stood, or from what was noted since. */
export function withCancelRefused(story: Story, now: Date): Story {
  const { cancel, foc_actual: known } = story.order;
  if (story.order.status !== "cancel_pending" || cancel === null) return story;
  const to = statusAfterRefusal(cancel);
  const isCorrected = to === "rejection" || to === "in_review";
  const numbers = isCorrected ? afresh(story.order) : story.order.numbers;
  const date = to === "foc_scheduled" ? (cancel.noted_foc ?? known) : known;
  const back = move(story, { to, now, fields: { cancel: null, foc_actual: date, numbers } });
  if (to === "foc_scheduled") return withDateAwaited(back, story.order, now);
  return to === "in_review" ? withNewCase(back) : withoutDates(back);
}

/** A date is waited for unless the carrier was told to activate on it before the cancellation was asked for. */
function withDateAwaited(story: Story, { cancel, foc_actual: known }: Order, now: Date): Story {
  const { foc_actual: date } = story.order;
  if (date === null) return story;
  const due_at = new Date(date);
  const isNew = known === null || Date.parse(known) !== due_at.getTime();
  const isAwaited = isNew || due_at > now || cancel?.date_came === true;
  return isAwaited ? add(story, { effect: "deadline", kind: "foc_reached", due_at }) : story;
}

/** Its case was withdrawn with the cancellation. */
function withNewCase(story: Story): Story {
  const attempt = story.order.review_attempt + 1;
  return add(
    { ...story, order: { ...story.order, review_attempt: attempt } },
    { effect: "review_request", kind: "open_case", attempt },
  );
}
