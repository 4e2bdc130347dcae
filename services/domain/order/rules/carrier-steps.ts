import { withoutCase, withoutDates } from "./closed-reason.ts";
import { findExceptionCode } from "./exception-catalogue.ts";
import { add, change, move, takes, type OrderDecision } from "./order-decision.ts";
import { withMoveStarted } from "./order-numbers.ts";
import type { Order, OrderException } from "./order.ts";
import { factsOf, hasDateConfirmed, type CarrierStep } from "./status-facts.ts";
import type { StatusUpdate } from "./status-update.ts";
import { IMPLIED_STEPS, statusAfterStep, type Trigger } from "./transitions.ts";

/** A carrier's status update, and when it is applied. */
export interface ReceivedUpdate {
  readonly update: StatusUpdate;
  readonly now: Date;
}

/** When the update was made: at most now, so that a carrier whose clock is ahead does not outdate its own later updates. */
export function saidAt({ update: { occurred_at }, now }: ReceivedUpdate): Date {
  return occurred_at < now ? occurred_at : now;
}

/** The FOC date of an update; if it is missing, the time when the update occurred. */
function dateOf({ foc_at, occurred_at }: StatusUpdate): string {
  return foc_at ?? occurred_at.toISOString();
}

/** Takes the steps that the trigger implies and that have not been taken yet, with one event each. */
export function withImpliedSteps(
  decision: OrderDecision,
  trigger: Trigger,
  received: ReceivedUpdate,
): OrderDecision {
  const implied = IMPLIED_STEPS[trigger] ?? [];
  return implied.reduce((reached, step) => {
    const isNext = factsOf(reached.order.status).awaited === step;
    return isNext && takes(reached, step) ? takeStep(reached, step, received) : reached;
  }, decision);
}

function takeStep(
  decision: OrderDecision,
  step: CarrierStep,
  received: ReceivedUpdate,
): OrderDecision {
  switch (step) {
    case "acknowledged":
      return move(decision, { by: step, now: received.now });
    case "carrier_date":
      return withDate(decision, received);
    case "activating":
      return startMove(decision, step, received);
  }
}

/**
 * Confirms or moves the port date; repeating the same date changes nothing, nor does a date that was said before it, unless
 * it answers a change.
 */
export function withDate(
  decision: OrderDecision,
  received: ReceivedUpdate,
  { isAnswer = false }: { readonly isAnswer?: boolean } = {},
): OrderDecision {
  const { update, now } = received;
  const { status, foc_actual: known, foc_said_at: knownSaidAt } = decision.order;
  const date = dateOf(update);
  const foc_said_at = saidAt(received);
  if (!isAnswer && knownSaidAt !== null && foc_said_at < knownSaidAt) return decision;
  const isSame = known !== null && Date.parse(known) === Date.parse(date);
  if (!isAnswer && hasDateConfirmed(status) && isSame) return decision;
  const noted = { previous_foc_actual: known, foc_actual: date };
  const fields = { foc_actual: date, foc_said_at };
  const moved = move(decision, { by: "carrier_date", now, fields, noted });
  return add(moved, { effect: "deadline", kind: "foc_reached", due_at: new Date(date) });
}

/** Starts moving the remaining numbers. An open case at the desk is withdrawn, and nothing is left to correct. */
export function startMove(
  decision: OrderDecision,
  by: Trigger,
  { update, now }: ReceivedUpdate,
): OrderDecision {
  const { foc_actual: known, cancel } = decision.order;
  const numbers = withMoveStarted(decision.order.numbers);
  const foc_actual = cancel?.noted_foc ?? known ?? dateOf(update);
  const fields = { numbers, exceptions: [], foc_actual };
  return withoutDates(move(withoutCase(decision), { by, now, fields }));
}

/** Notes a step reported while a cancellation is pending, in case the carrier refuses to cancel; no event. */
export function noteStep(
  decision: OrderDecision,
  step: CarrierStep,
  received: ReceivedUpdate,
): OrderDecision {
  const { update } = received;
  const { cancel, foc_said_at } = decision.order;
  if (cancel === null) return decision;
  const reached = statusAfterStep(step);
  const noted_foc_said_at = saidAt(received).toISOString();
  const lastSaidAt = cancel.noted_foc_said_at ?? foc_said_at?.toISOString() ?? "";
  if (step === "carrier_date" && noted_foc_said_at < lastSaidAt) return decision;
  const noted =
    step === "carrier_date"
      ? { noted_status: reached, noted_foc: dateOf(update), noted_foc_said_at }
      : { noted_status: cancel.noted_status ?? reached };
  return add(change(decision, { cancel: { ...cancel, ...noted } }), {
    effect: "timeline",
    kind: "carrier",
    data: { kind: update.kind, raw_status: update.raw_status, foc_at: update.foc_at },
  });
}

/** An open exception raised by the carrier, with its own text or else the catalogue's. An unknown code becomes `other`. */
export function exceptionOf(
  order: Order,
  { code, text, slug }: Pick<StatusUpdate, "code" | "text" | "slug">,
  now: Date,
): OrderException {
  const known = findExceptionCode(code);
  const slugs = new Set(order.requirements.map((requirement) => requirement.slug));
  return {
    code: known.code,
    detail: text === null || text === "" ? known.detail : text,
    slug: [slug ?? "", ...known.slugs].find((one) => slugs.has(one)) ?? null,
    raised_by: "carrier",
    raised_at: now.toISOString(),
  };
}
