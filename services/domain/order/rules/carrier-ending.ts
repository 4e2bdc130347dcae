import { exceptionOf, type ReceivedUpdate } from "./carrier-steps.ts";
import { closeOrder, reasonOfCarrier, withoutDates } from "./closed-reason.ts";
import { withComment } from "./decide-comment.ts";
import { withFieldInException } from "./decide-review.ts";
import { areDesksOwn } from "./desk-owned.ts";
import { findExceptionCode } from "./exception-catalogue.ts";
import { add, change, move, type Move, type OrderDecision } from "./order-decision.ts";
import { isActive, isMoving, withNewTry } from "./order-numbers.ts";
import type { ClosedReason, Order, OrderException, OrderNumber } from "./order.ts";
import { factsOf, hasDateConfirmed } from "./status-facts.ts";
import { failureCodeOf } from "./status-update.ts";
import { moveOf } from "./transitions.ts";

type Ending = "carrier_rejected" | "carrier_refused" | "cancel_confirmed";

/** The carrier ends the port by a rejection that can be corrected, a final refusal or a cancellation. */
export function withEnd(
  decision: OrderDecision,
  by: Ending,
  received: ReceivedUpdate,
): OrderDecision {
  const { order } = decision;
  const { update, now } = received;
  const { end } = factsOf(moveOf(order, by));
  if (end === null) {
    const exceptions = [exceptionOf(order, update, now)];
    return backToCustomer(decision, { by, exceptions }, received);
  }
  const requested = order.cancel?.reason ?? null;
  const stated = reasonOfCarrier(by, update);
  const isAsked = by === "cancel_confirmed" && requested !== null;
  const commented = isAsked ? decision : withReasonComment(decision, [stated], received);
  const reason = requested ?? stated;
  return end === "live"
    ? endPartially(commented, { by, reason }, received)
    : closeOrder(commented, { by, now, closedBy: order.cancel?.asked_by ?? "provider", reason });
}

/** Some numbers are already active; the others fail or are cancelled, as the carrier reported. */
function endPartially(
  decision: OrderDecision,
  { by, reason }: { readonly by: Ending; readonly reason: ClosedReason },
  { update, now }: ReceivedUpdate,
): OrderDecision {
  const rest: Pick<OrderNumber, "status" | "failure_code"> =
    by === "carrier_rejected"
      ? { status: "failed", failure_code: failureCodeOf(update) }
      : { status: "cancelled", failure_code: null };
  const numbers = decision.order.numbers.map((number) =>
    isMoving(number) ? { ...number, ...rest } : number,
  );
  const fields = { numbers, closed_reason: reason };
  return withActivationsPublished(move(decision, { by, now, fields }));
}

interface Return extends Pick<Move, "by"> {
  readonly exceptions: readonly OrderException[];
}

/** Returns the order to the customer for correction: its numbers are pending again and it has no date. */
export function backToCustomer(
  decision: OrderDecision,
  { by, exceptions }: Return,
  received: ReceivedUpdate,
): OrderDecision {
  const { now } = received;
  const numbers = withNewTry(decision.order.numbers);
  const [first] = exceptions;
  const attention =
    first !== undefined && areDesksOwn(exceptions)
      ? { reason: first.detail, raised_at: now.toISOString() }
      : decision.order.attention;
  const dates = { foc_actual: null, foc_said_at: null };
  const fields = { exceptions, numbers, ...dates, cancel: null, attention };
  const fieldless = exceptions.filter(({ slug }) => slug === null);
  const commented = withReasonComment(decision, fieldless, received);
  const flagged = exceptions.reduce(
    (one, exception) => withCarrierException(one, exception, received),
    commented,
  );
  return withoutDates(move(flagged, { by, now, fields }));
}

/** Marks what the carrier's code concerns: of values per number, those of the numbers that it names or that failed. */
function withCarrierException(
  decision: OrderDecision,
  { code, slug, detail }: OrderException,
  { update }: ReceivedUpdate,
): OrderDecision {
  if (slug === null) return decision;
  const failed = decision.order.numbers
    .filter(
      ({ failure_code: failure }) => failure !== null && findExceptionCode(failure).code === code,
    )
    .map(({ phone_number }) => phone_number);
  const phone_numbers = failed.length > 0 ? failed : update.phone_numbers;
  return withFieldInException(decision, { slug, reason: detail, phone_numbers });
}

/** The carrier refuses to cancel: the order continues from its earlier status, or from the steps noted since. */
export function withCancelRefused(decision: OrderDecision, now: Date): OrderDecision {
  const { cancel, foc_actual: known, foc_said_at: knownSaidAt } = decision.order;
  const by = "cancel_refused";
  const to = moveOf(decision.order, by);
  const isDated = hasDateConfirmed(to);
  const { editable, underReview } = factsOf(to);
  // The customer is correcting the order: results of the current request no longer apply to the next one.
  const numbers =
    editable || underReview ? withNewTry(decision.order.numbers) : decision.order.numbers;
  const foc_actual = isDated ? (cancel?.noted_foc ?? known) : known;
  const notedSaidAt = isDated ? cancel?.noted_foc_said_at : undefined;
  const foc_said_at = notedSaidAt === undefined ? knownSaidAt : new Date(notedSaidAt);
  const fields = { cancel: null, foc_actual, foc_said_at, numbers };
  const back = move(decision, { by, now, fields });
  if (isDated) return withDateAwaited(back, decision.order, now);
  return underReview ? withNewCase(back) : withoutDates(back);
}

/** Sets the date's deadline, unless the carrier was asked to activate on it before the cancellation was requested. */
function withDateAwaited(
  decision: OrderDecision,
  { cancel, foc_actual: known }: Order,
  now: Date,
): OrderDecision {
  const { foc_actual: date } = decision.order;
  if (date === null) return decision;
  const due_at = new Date(date);
  const isNew = known === null || Date.parse(known) !== due_at.getTime();
  const isAwaited = isNew || due_at > now || cancel?.date_came === true;
  return isAwaited ? add(decision, { effect: "deadline", kind: "foc_reached", due_at }) : decision;
}

/** Opens a new case, because the old one was withdrawn with the cancellation. */
function withNewCase(decision: OrderDecision): OrderDecision {
  const attempt = decision.order.review_attempt + 1;
  return add(change(decision, { review_attempt: attempt }), {
    effect: "review_request",
    kind: "open_case",
    attempt,
  });
}

/** One `number.activated` per active number, after the status that ends the order. */
export function withActivationsPublished(decision: OrderDecision): OrderDecision {
  const { id: porting_order_id, country_code, number_type } = decision.order;
  const activations = decision.order.numbers.flatMap((number) =>
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
  return add(decision, ...activations);
}

/** A carrier's reason: its canonical code, and its text or else the catalogue's. */
interface StatedReason {
  readonly code: string | null;
  readonly detail: string;
}

/**
 * Publishes the reasons that no requirement takes as a carrier's comment, one line each, so that whoever follows the
 * events alone learns them too.
 */
function withReasonComment(
  decision: OrderDecision,
  reasons: readonly StatedReason[],
  { update, now }: ReceivedUpdate,
): OrderDecision {
  if (reasons.length === 0) return decision;
  const body = reasons
    .map(({ code, detail }) => `${findExceptionCode(code).title}: ${detail}`)
    .join("\n");
  const id = update.reason_comment_id;
  return withComment(decision, { id, body, author_type: "carrier", author_id: null }, now);
}
