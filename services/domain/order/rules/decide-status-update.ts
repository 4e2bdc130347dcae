import {
  backToCustomer,
  withActivationsPublished,
  withCancelRefused,
  withEnd,
} from "./carrier-ending.ts";
import {
  exceptionOf,
  noteStep,
  saidAt,
  startMove,
  withDate,
  withImpliedSteps,
  type ReceivedUpdate,
} from "./carrier-steps.ts";
import { reasonOfCarrier } from "./closed-reason.ts";
import { withComment, withSystemComment } from "./decide-comment.ts";
import { withChangeAccepted, withChangeRefused } from "./decide-change.ts";
import type { DecisionContext } from "./effects.ts";
import {
  add,
  allow,
  begin,
  change,
  move,
  takes,
  type Decision,
  type OrderDecision,
} from "./order-decision.ts";
import { versionInForce } from "./order-changes.ts";
import {
  isMoving,
  missesActive,
  newlyActive,
  newlyFailed,
  withActivated,
  withFailed,
} from "./order-numbers.ts";
import type { Order } from "./order.ts";
import { isEnded } from "./status-facts.ts";
import { failureCodeOf, type StatusUpdate, type StatusUpdateKind } from "./status-update.ts";
import { moveOf, targetOf, type Trigger } from "./transitions.ts";

const TRIGGER_OF = {
  acknowledged: "acknowledged",
  date_confirmed: "carrier_date",
  date_moved: "carrier_date",
  rejected: "carrier_rejected",
  refused: "carrier_refused",
  activating: "activating",
  number_active: "number_active",
  number_failed: "number_failed",
  cancel_confirmed: "cancel_confirmed",
  cancel_refused: "cancel_refused",
  change_refused: "change_refused",
} as const satisfies Record<Exclude<StatusUpdateKind, "comment">, Trigger>;

type CarrierTrigger = (typeof TRIGGER_OF)[keyof typeof TRIGGER_OF];

/**
 * Moves the order along the table by a carrier's status update, including the steps that it implies; an update that
 * changes nothing is noted in the timeline. It is never refused, because what a carrier reports is a fact, and its
 * comment is always published.
 */
export function decideStatusUpdate(
  order: Order,
  update: StatusUpdate,
  { now }: DecisionContext,
): Decision {
  const decision = withCarrierComment(begin(order), update, now);
  if (isEnded(order)) return allow(afterTheEnd(decision, update, now));
  const outdated =
    update.request_version < versionInForce(order) && update.kind !== "number_active";
  if (outdated) return allow(orIgnored(decision, decision, update));
  const received = { update, now };
  const noted = withProviderStatus(withoutAttention(decision, update), received);
  if (update.kind === null) return allow(withUnknownStatus(noted, update));
  if (update.kind === "comment") return allow(noted);
  const applied = applyTrigger(noted, TRIGGER_OF[update.kind], received);
  return allow(orIgnored(noted, applied, update));
}

/** Of the version in force, or of one that asks for a change of it. */
function isOfNewest(order: Order, { request_version: version }: StatusUpdate): boolean {
  return version >= versionInForce(order) && version <= order.request_version;
}

/** Clears the desk's alert, which waited for an update from the carrier. */
function withoutAttention(decision: OrderDecision, update: StatusUpdate): OrderDecision {
  const isOfNow = isOfNewest(decision.order, update);
  return isOfNow || update.kind === "number_active"
    ? change(decision, { attention: null })
    : decision;
}

/** Notes an update that changed nothing as ignored, unless it is a comment, which never changes anything. */
function orIgnored(
  before: OrderDecision,
  after: OrderDecision,
  update: StatusUpdate,
): OrderDecision {
  return after === before && update.kind !== "comment" ? ignore(before, update) : after;
}

/** `provider_status` follows every update of the current version that is not older than the last one. */
function withProviderStatus(decision: OrderDecision, received: ReceivedUpdate): OrderDecision {
  const { update } = received;
  const { provider_status_at: last } = decision.order;
  const reportedAt = saidAt(received);
  const older = last !== null && reportedAt < last;
  if (update.raw_status === null || older || !isOfNewest(decision.order, update)) return decision;
  return change(decision, { provider_status: update.raw_status, provider_status_at: reportedAt });
}

/** An update with an unknown status changes nothing, but is noted in a comment to the desk. */
function withUnknownStatus(decision: OrderDecision, update: StatusUpdate): OrderDecision {
  const rawStatus = update.raw_status ?? "";
  return withSystemComment(
    decision,
    `The carrier's status is unknown and changed nothing: ${rawStatus}`,
    { internal: true },
  );
}

function withCarrierComment(
  decision: OrderDecision,
  update: StatusUpdate,
  now: Date,
): OrderDecision {
  if (update.comment === null) return decision;
  return withComment(decision, { ...update.comment, author_type: "carrier", author_id: null }, now);
}

function ignore(decision: OrderDecision, update: StatusUpdate): OrderDecision {
  return add(decision, {
    effect: "timeline",
    kind: "ignored",
    data: {
      kind: update.kind,
      raw_status: update.raw_status,
      request_version: update.request_version,
    },
    internal: update.kind === null,
  });
}

/** Alerts the desk if a carrier activates a number of a closed order that is not active in the order. */
function afterTheEnd(decision: OrderDecision, update: StatusUpdate, now: Date): OrderDecision {
  const noted = orIgnored(decision, decision, update);
  const isMissed = missesActive(decision.order.numbers, update);
  if (update.kind !== "number_active" || !isMissed) return noted;
  const reason = "The carrier reports an active number although the order is closed.";
  const attention = { reason, raised_at: now.toISOString() };
  return withSystemComment(change(noted, { attention }), reason);
}

/** Returns the decision unchanged if the table has no move for the trigger. */
function applyTrigger(
  decision: OrderDecision,
  trigger: CarrierTrigger,
  received: ReceivedUpdate,
): OrderDecision {
  const reached = withImpliedSteps(decision, trigger, received);
  const to = targetOf(reached.order, trigger);
  if (to === null) return decision;
  const stays = to === "stay";
  switch (trigger) {
    case "acknowledged":
      if (stays) return noteStep(reached, trigger, received);
      return move(reached, { by: trigger, now: received.now });
    case "carrier_date":
      return withCarrierDate(reached, stays, received);
    case "activating":
      return settle(startMove(reached, trigger, received), received);
    case "number_active": {
      const moving = stays ? reached : startMove(reached, trigger, received);
      return settle(withActiveNumbers(moving, received), received);
    }
    case "number_failed": {
      const moving = stays ? reached : startMove(reached, trigger, received);
      return settle(withFailedNumbers(moving, received), received);
    }
    case "carrier_rejected":
    case "carrier_refused":
    case "cancel_confirmed":
      return withEnd(reached, trigger, received);
    case "cancel_refused":
      return withCancelRefused(reached, received.now);
    case "change_refused":
      return withRefusedChange(reached, received);
  }
}

/** A date also answers the change that its version asks for, and is published even if it is the known one. */
function withCarrierDate(
  decision: OrderDecision,
  isNoted: boolean,
  received: ReceivedUpdate,
): OrderDecision {
  const answered = withChangeAccepted(decision, received);
  if (isNoted) return noteStep(answered, "carrier_date", received);
  return withDate(answered, received, { isAnswer: answered !== decision });
}

function withRefusedChange(decision: OrderDecision, received: ReceivedUpdate): OrderDecision {
  const { update, now } = received;
  const { detail } = reasonOfCarrier("change_refused", update);
  const refused = withChangeRefused(decision, detail, received);
  if (refused === decision) return decision;
  const said = { id: update.reason_comment_id, body: `The change was refused: ${detail}` } as const;
  return withComment(refused, { ...said, author_type: "carrier", author_id: null }, now);
}

/** Marks numbers as active, including a failed one if the carrier lists it. */
function withActiveNumbers(decision: OrderDecision, received: ReceivedUpdate): OrderDecision {
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
function withFailedNumbers(
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
function settle(decision: OrderDecision, received: ReceivedUpdate): OrderDecision {
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
    exceptionOf(
      order,
      code === reported ? { ...update, code } : { code, text: null, slug: null },
      now,
    ),
  );
}
