import { withCancelRefused, withEnd } from "./carrier-ending.ts";
import { settle, withActiveNumbers, withFailedNumbers } from "./carrier-numbers.ts";
import { noteStep, startMove, withDate, withImpliedSteps, type Heard } from "./carrier-steps.ts";
import { withComment, withSystemComment } from "./decide-comment.ts";
import type { DecisionContext } from "./effects.ts";
import type { Order } from "./order.ts";
import { add, allow, begin, change, move, type Decision, type Story } from "./order-decision.ts";
import { missesActive } from "./order-numbers.ts";
import { isEnded } from "./status-facts.ts";
import type { CarrierWord, CarrierWordKind } from "./status-update.ts";
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
} as const satisfies Record<Exclude<CarrierWordKind, "comment">, Trigger>;

type CarrierTrigger = (typeof TRIGGER_OF)[keyof typeof TRIGGER_OF];

/**
 * A carrier's status update moves the order along the table, taking the steps that it implies one by one; one that
 * moves nothing is noted in the timeline. It is never refused: what a carrier reports is a fact. Its comment is always
 * published.
 */
export function decideStatusUpdate(
  order: Order,
  word: CarrierWord,
  { now }: DecisionContext,
): Decision {
  const story = withCarrierComment(begin(order), word, now);
  if (isEnded(order)) return allow(afterTheEnd(story, word, now));
  const outdated = word.request_version < order.request_version && word.kind !== "number_active";
  if (outdated) return allow(orIgnored(story, story, word));
  const heard = withProviderStatus(withoutAttention(story, word), word, now);
  if (word.kind === null) return allow(withUnknownWord(heard, word));
  if (word.kind === "comment") return allow(heard);
  const applied = applyTrigger(heard, TRIGGER_OF[word.kind], { update: word, now });
  return allow(orIgnored(heard, applied, word));
}

/** The desk was called because the carrier owed a word: this is one. */
function withoutAttention(story: Story, word: CarrierWord): Story {
  const isOfNow = word.request_version === story.order.request_version;
  return isOfNow || word.kind === "number_active" ? change(story, { attention: null }) : story;
}

/** A status update that changed nothing is noted as ignored; a comment is not meant to change anything. */
function orIgnored(heard: Story, moved: Story, word: CarrierWord): Story {
  return moved === heard && word.kind !== "comment" ? ignore(heard, word) : moved;
}

/**
 * `provider_status` follows every word of the current version that is not older than the last one. A carrier whose
 * clock is ahead must not outdate what it says later.
 */
function withProviderStatus(story: Story, word: CarrierWord, now: Date): Story {
  const { provider_status_at: last, request_version: version } = story.order;
  const saidAt = word.occurred_at < now ? word.occurred_at : now;
  const older = last !== null && saidAt < last;
  if (word.raw_status === null || older || word.request_version !== version) return story;
  return change(story, { provider_status: word.raw_status, provider_status_at: saidAt });
}

/** Nothing moves by a word that no table knows, but somebody should learn of it. */
function withUnknownWord(story: Story, word: CarrierWord): Story {
  const said = word.raw_status ?? "";
  return withSystemComment(story, `The carrier's status is not known and moved nothing: ${said}`);
}

function withCarrierComment(story: Story, word: CarrierWord, now: Date): Story {
  if (word.comment === null) return story;
  return withComment(story, { ...word.comment, author_type: "carrier", author_id: null }, now);
}

function ignore(story: Story, word: CarrierWord): Story {
  return add(story, {
    effect: "timeline",
    kind: "ignored",
    data: {
      kind: word.kind,
      raw_status: word.raw_status,
      request_version: word.request_version,
    },
  });
}

/** A live number that the order does not have as active, when it is over: the desk must look. */
function afterTheEnd(story: Story, word: CarrierWord, now: Date): Story {
  const noted = orIgnored(story, story, word);
  const isMissed = missesActive(story.order.numbers, word);
  if (word.kind !== "number_active" || !isMissed) return noted;
  const reason = "The carrier says that a number is active although the order is over.";
  const attention = { reason, raised_at: now.toISOString() };
  return withSystemComment(change(noted, { attention }), reason);
}

/** The same decision where the table has nothing for the trigger. */
function applyTrigger(story: Story, trigger: CarrierTrigger, heard: Heard): Story {
  const reached = withImpliedSteps(story, trigger, heard);
  const to = targetOf(reached.order, trigger);
  if (to === null) return story;
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
