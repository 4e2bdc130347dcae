import { exceptionOf } from "./carrier-exception.ts";
import type { Heard } from "./carrier-steps.ts";
import { closeOrder, withoutDates } from "./close-order.ts";
import { publishRequirement } from "./decide-review.ts";
import type { Order, OrderException, OrderNumber } from "./order.ts";
import { add, change, changeRequirements, move, type Move, type Story } from "./order-decision.ts";
import { isActive, isMoving, withNewTry } from "./order-numbers.ts";
import { factsOf, hasDateConfirmed } from "./status-facts.ts";
import { failureCodeOf } from "./status-update.ts";
import { moveOf } from "./transitions.ts";

type Ending = "carrier_rejected" | "carrier_refused" | "cancel_confirmed";

/** The carrier ends the port, by a rejection that can be mended, a final refusal or a cancellation. */
export function withEnd(story: Story, by: Ending, { update, now }: Heard): Story {
  const { end } = factsOf(moveOf(story.order, by));
  switch (end) {
    case "live":
      return endPartially(story, by, { update, now });
    case "closed":
      return closeOrder(story, { by, now, closedBy: story.order.cancel?.asked_by ?? "provider" });
    case null:
      return backToCustomer(story, {
        by,
        exceptions: [exceptionOf(story.order, update, now)],
        now,
      });
  }
}

/** Some numbers are active already: the others end as the carrier says. */
function endPartially(story: Story, by: Ending, { update, now }: Heard): Story {
  const rest: Pick<OrderNumber, "status" | "failure_code"> =
    by === "carrier_rejected"
      ? { status: "failed", failure_code: failureCodeOf(update) }
      : { status: "cancelled", failure_code: null };
  const numbers = story.order.numbers.map((number) =>
    isMoving(number) ? { ...number, ...rest } : number,
  );
  return withActivationsPublished(move(story, { by, now, fields: { numbers } }));
}

interface Return extends Pick<Move, "by" | "now"> {
  readonly exceptions: readonly OrderException[];
}

/** Back with the customer, who mends it: the numbers pending again and no date. */
export function backToCustomer(story: Story, { by, now, exceptions }: Return): Story {
  const numbers = withNewTry(story.order.numbers);
  const fields = { exceptions, numbers, foc_actual: null, cancel: null };
  const flagged = exceptions.reduce(withFieldInException, story);
  return withoutDates(move(flagged, { by, now, fields }));
}

/** The field that a carrier's code names is the customer's to rewrite. */
function withFieldInException(story: Story, { slug, detail }: OrderException): Story {
  if (slug === null) return story;
  const status = "requirement-info-exception";
  const changed = changeRequirements(story, (requirement) =>
    requirement.slug === slug ? { ...requirement, status, exception_reason: detail } : requirement,
  );
  return publishRequirement(changed, { slug, status, reason: detail });
}

/** The carrier will not cancel: the order goes on from where it stood, or from what was noted since. */
export function withCancelRefused(story: Story, now: Date): Story {
  const { cancel, foc_actual: known } = story.order;
  const by = "cancel_refused";
  const to = moveOf(story.order, by);
  const isDated = hasDateConfirmed(to);
  const { nextStep, underReview } = factsOf(to);
  // What is being corrected leaves with the next request: nothing of this one counts any more.
  const numbers = nextStep === null ? withNewTry(story.order.numbers) : story.order.numbers;
  const foc_actual = isDated ? (cancel?.noted_foc ?? known) : known;
  const back = move(story, { by, now, fields: { cancel: null, foc_actual, numbers } });
  if (isDated) return withDateAwaited(back, story.order, now);
  return underReview ? withNewCase(back) : withoutDates(back);
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
  return add(change(story, { review_attempt: attempt }), {
    effect: "review_request",
    kind: "open_case",
    attempt,
  });
}

/** One `number.activated` per active number, after the status that ends the order. */
export function withActivationsPublished(story: Story): Story {
  const { id: porting_order_id, country_code, number_type } = story.order;
  const activations = story.order.numbers.flatMap((number) =>
    !isActive(number) || number.activated_at === null
      ? []
      : [
          {
            effect: "event" as const,
            type: "number.activated" as const,
            payload: {
              phone_number: number.phone_number,
              porting_order_id,
              country_code,
              number_type,
              activated_at: number.activated_at.getTime(),
            },
          },
        ],
  );
  return add(story, ...activations);
}
