import {
  settle,
  toActivating,
  withActiveNumbers,
  withFailedNumbers,
} from "./carrier-activation.ts";
import { noteWhileCancelling, withDate } from "./carrier-date.ts";
import { withCancelRefused, withEnd, withRejection } from "./carrier-ending.ts";
import type { CarrierWord } from "./status-update.ts";
import { withComment, withSystemComment } from "./decide-comment.ts";
import type { DecisionContext } from "./effects.ts";
import type { Order } from "./order.ts";
import { TERMINAL_STATUSES } from "./order.ts";
import type { Decision, Story } from "./order-decision.ts";
import { add, allow, begin, canMove, change, move } from "./order-decision.ts";

/**
 * A carrier's word moves the order along the table, taking the steps that it implies one by one; a word that moves
 * nothing is noted in the timeline. It is never refused: what a carrier said is a fact. What it wrote is always told.
 */
export function decideCarrierWord(
  order: Order,
  word: CarrierWord,
  { now }: DecisionContext,
): Decision {
  const story = withCarrierComment(begin(order), word, now);
  if (TERMINAL_STATUSES.has(order.status)) return allow(afterTheEnd(story, word, now));
  const outdated = word.request_version < order.request_version && word.kind !== "number_active";
  if (outdated) return allow(orIgnored(story, story, word));
  const heard = withProviderStatus(withoutAttention(story, word), word, now);
  if (!isKnown(word)) return allow(withUnknownWord(heard, word));
  return allow(orIgnored(heard, outcomeOf(heard, word, now), word));
}

/** The desk was called because the carrier owed a word: this is one. */
function withoutAttention(story: Story, word: CarrierWord): Story {
  const isOfNow = word.request_version === story.order.request_version;
  return isOfNow || word.kind === "number_active" ? change(story, { attention: null }) : story;
}

/** A word that moved nothing is noted as ignored; a comment is not meant to move anything. */
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
  const missing = story.order.numbers.some(
    (number) =>
      number.status !== "active" && (word.phone_numbers?.includes(number.phone_number) ?? true),
  );
  if (word.kind !== "number_active" || !missing) return noted;
  const reason = "The carrier says that a number is active although the order is over.";
  const attention = { reason, raised_at: now.toISOString() };
  return withSystemComment(change(noted, { attention }), reason);
}

type KnownWord = CarrierWord & { readonly kind: NonNullable<CarrierWord["kind"]> };

function isKnown(word: CarrierWord): word is KnownWord {
  return word.kind !== null;
}

/** The same story where the word moves nothing. */
function outcomeOf(story: Story, word: KnownWord, now: Date): Story {
  const cancelling = story.order.status === "cancel_pending";
  switch (word.kind) {
    case "acknowledged":
      if (cancelling) return noteWhileCancelling(story, word);
      if (!canMove(story, "acknowledged", "in_process")) return story;
      return move(story, { to: "in_process", now });
    case "date_confirmed":
    case "date_moved":
      return cancelling ? noteWhileCancelling(story, word) : withDate(story, word, now);
    case "activating":
      return settle(toActivating(story, word, now), word, now);
    case "number_active":
      return settle(withActiveNumbers(toActivating(story, word, now), word, now), word, now);
    case "number_failed": {
      const started = cancelling ? story : toActivating(story, word, now);
      return settle(withFailedNumbers(started, word, now), word, now);
    }
    case "rejected":
      return withRejection(story, word, now);
    case "refused":
    case "cancel_confirmed":
      return withEnd(story, now);
    case "cancel_refused":
      return withCancelRefused(story, now);
    case "comment":
      return story;
  }
}
