import { withCancelRefused, withEnd } from "./carrier-ending.ts";
import { settle, withActiveNumbers, withFailedNumbers } from "./carrier-numbers.ts";
import { noteStep, startMove, withDate, withImpliedSteps, type Heard } from "./carrier-steps.ts";
import { withComment, withSystemComment } from "./decide-comment.ts";
import type { DecisionContext } from "./effects.ts";
import type { Order } from "./order.ts";
import {
  add,
  allow,
  begin,
  change,
  move,
  type Decision,
  type OrderDecision,
} from "./order-decision.ts";
import { missesActive } from "./order-numbers.ts";
import { isEnded } from "./status-facts.ts";
import type { StatusUpdate, StatusUpdateKind } from "./status-update.ts";
import { targetOf, type Trigger } from "./transitions.ts";

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
} as const satisfies Record<Exclude<StatusUpdateKind, "comment">, Trigger>;

type CarrierTrigger = (typeof TRIGGER_OF)[keyof typeof TRIGGER_OF];

/**
 * A carrier's status update moves the order along the table, taking the steps that it implies one by one; one that
 * moves nothing is noted in the timeline. It is never refused: what a carrier reports is a fact. Its comment is always
 * published.
 */
export function decideStatusUpdate(
  order: Order,
  update: StatusUpdate,
  { now }: DecisionContext,
): Decision {
  const decision = withCarrierComment(begin(order), update, now);
  if (isEnded(order)) return allow(afterTheEnd(decision, update, now));
  const outdated =
    update.request_version < order.request_version && update.kind !== "number_active";
  if (outdated) return allow(orIgnored(decision, decision, update));
  const heard = withProviderStatus(withoutAttention(decision, update), update, now);
  if (update.kind === null) return allow(withUnknownStatus(heard, update));
  if (update.kind === "comment") return allow(heard);
  const applied = applyTrigger(heard, TRIGGER_OF[update.kind], { update: update, now });
  return allow(orIgnored(heard, applied, update));
}

/** The desk was called because the carrier owed a update: this is one. */
function withoutAttention(decision: OrderDecision, update: StatusUpdate): OrderDecision {
  const isOfNow = update.request_version === decision.order.request_version;
  return isOfNow || update.kind === "number_active"
    ? change(decision, { attention: null })
    : decision;
}

/** A status update that changed nothing is noted as ignored; a comment is not meant to change anything. */
function orIgnored(
  heard: OrderDecision,
  moved: OrderDecision,
  update: StatusUpdate,
): OrderDecision {
  return moved === heard && update.kind !== "comment" ? ignore(heard, update) : moved;
}

/**
 * `provider_status` follows every update of the current version that is not older than the last one. A carrier whose
 * clock is ahead must not outdate what it says later.
 */
function withProviderStatus(
  decision: OrderDecision,
  update: StatusUpdate,
  now: Date,
): OrderDecision {
  const { provider_status_at: last, request_version: version } = decision.order;
  const saidAt = update.occurred_at < now ? update.occurred_at : now;
  const older = last !== null && saidAt < last;
  if (update.raw_status === null || older || update.request_version !== version) return decision;
  return change(decision, { provider_status: update.raw_status, provider_status_at: saidAt });
}

/** Nothing moves by a update that no table knows, but somebody should learn of it. */
function withUnknownStatus(decision: OrderDecision, update: StatusUpdate): OrderDecision {
  const said = update.raw_status ?? "";
  return withSystemComment(
    decision,
    `The carrier's status is not known and moved nothing: ${said}`,
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
  });
}

/** A live number that the order does not have as active, when it is over: the desk must look. */
function afterTheEnd(decision: OrderDecision, update: StatusUpdate, now: Date): OrderDecision {
  const noted = orIgnored(decision, decision, update);
  const isMissed = missesActive(decision.order.numbers, update);
  if (update.kind !== "number_active" || !isMissed) return noted;
  const reason = "The carrier says that a number is active although the order is over.";
  const attention = { reason, raised_at: now.toISOString() };
  return withSystemComment(change(noted, { attention }), reason);
}

/** The same decision where the table has nothing for the trigger. */
function applyTrigger(
  decision: OrderDecision,
  trigger: CarrierTrigger,
  heard: Heard,
): OrderDecision {
  const reached = withImpliedSteps(decision, trigger, heard);
  const to = targetOf(reached.order, trigger);
  if (to === null) return decision;
  const stays = to === "stay";
  switch (trigger) {
    case "acknowledged":
      if (stays) return noteStep(reached, trigger, heard);
      return move(reached, { by: trigger, now: heard.now });
    case "carrier_date":
      return stays ? noteStep(reached, trigger, heard) : withDate(reached, heard);
    case "activating":
      return settle(startMove(reached, trigger, heard), heard);
    case "number_active": {
      const moving = stays ? reached : startMove(reached, trigger, heard);
      return settle(withActiveNumbers(moving, heard), heard);
    }
    case "number_failed": {
      const moving = stays ? reached : startMove(reached, trigger, heard);
      return settle(withFailedNumbers(moving, heard), heard);
    }
    case "carrier_rejected":
    case "carrier_refused":
    case "cancel_confirmed":
      return withEnd(reached, trigger, heard);
    case "cancel_refused":
      return withCancelRefused(reached, heard.now);
  }
}
