import type { CarrierWord } from "./carrier-word.ts";
import type { DecisionContext } from "./effects.ts";
import type { Order, OrderNumber } from "./order.ts";
import { TERMINAL_STATUSES } from "./order.ts";
import type { Decision, Story } from "./story.ts";
import { add, allow, begin, canMove, change, move } from "./story.ts";
import { CARRIER_PATH } from "./transitions.ts";

/**
 * A carrier's word moves the order along the table, taking the steps that it implies one by one; a word that moves
 * nothing is noted in the timeline. It is never refused: what a carrier said is a fact.
 */
export function decideCarrierWord(
  order: Order,
  word: CarrierWord,
  { now }: DecisionContext,
): Decision {
  const outdated = word.request_version < order.request_version && word.kind !== "number_active";
  if (outdated || TERMINAL_STATUSES.has(order.status)) return allow(ignore(begin(order), word));
  const told = withProviderStatus(begin(order), word);
  const moved = outcomeOf(told, word, now);
  return allow(moved === told ? ignore(told, word) : moved);
}

/** `provider_status` follows every word of the current version that is not older than the last one. */
function withProviderStatus(story: Story, word: CarrierWord): Story {
  const { provider_status_at: last, request_version: version } = story.order;
  const older = last !== null && word.occurred_at < last;
  if (word.raw_status === null || older || word.request_version !== version) return story;
  return change(story, {
    provider_status: word.raw_status,
    provider_status_at: word.occurred_at,
  });
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

/** The same story where the word moves nothing. */
function outcomeOf(story: Story, word: CarrierWord, now: Date): Story {
  switch (word.kind) {
    case "acknowledged":
      return canMove(story, "acknowledged", "in_process") ? move(story, "in_process", now) : story;
    case "date_confirmed":
    case "date_moved":
      return withDate(story, word, now);
    case "activating":
      return toActivating(story, word, now);
    case "number_active":
      return withActiveNumbers(toActivating(story, word, now), word, now);
    case "rejected":
    case "refused":
    case "number_failed":
    case "cancel_confirmed":
    case "cancel_refused":
    case "comment":
    case null:
      return story;
  }
}

function withDate(story: Story, word: CarrierWord, now: Date): Story {
  if (!canMove(story, "carrier_date", "foc_scheduled")) return story;
  const date = word.foc_at ?? word.occurred_at.toISOString();
  const known = story.order.foc_actual;
  if (known !== null && Date.parse(known) === Date.parse(date)) return story;
  const moved = move(story, "foc_scheduled", now, { foc_actual: date });
  return add(moved, { effect: "deadline", kind: "foc_reached", due_at: new Date(date) });
}

/** Takes the steps between where the order stands and activating, one event each. */
function toActivating(story: Story, word: CarrierWord, now: Date): Story {
  let reached = story;
  for (const step of CARRIER_PATH) {
    if (step.status !== reached.order.status) continue;
    if (step.next === "acknowledged") reached = move(reached, "in_process", now);
    else if (step.next === "carrier_date") reached = withDate(reached, word, now);
    else reached = startActivation(reached, now);
  }
  return reached;
}

function startActivation(story: Story, now: Date): Story {
  const numbers = story.order.numbers.map((number): OrderNumber =>
    number.status === "pending" ? { ...number, status: "activating" } : number,
  );
  return add(move(story, "activating", now, { numbers }), {
    effect: "deadline",
    kind: "foc_reached",
    due_at: null,
  });
}

function withActiveNumbers(story: Story, word: CarrierWord, now: Date): Story {
  if (!canMove(story, "number_active", "completed")) return story;
  const named = word.phone_numbers === null ? null : new Set(word.phone_numbers);
  const turned = story.order.numbers.filter(
    (number) =>
      number.status === "activating" && (named === null || named.has(number.phone_number)),
  );
  if (turned.length === 0) return story;
  const activatedAt = word.occurred_at < now ? word.occurred_at : now;
  const numbers = story.order.numbers.map((number): OrderNumber =>
    turned.includes(number) ? { ...number, status: "active", activated_at: activatedAt } : number,
  );
  const active = add(
    change(story, { numbers, updated_at: now }),
    ...turned.map(({ phone_number }) => ({
      effect: "number_active" as const,
      phone_number,
      activated_at: activatedAt,
    })),
  );
  if (numbers.some((number) => number.status !== "active")) return active;
  return withActivationTold(move(active, "completed", now));
}

/** One `number.activated` per number, after the status that ends the order. */
function withActivationTold(story: Story): Story {
  const { order } = story;
  return add(
    story,
    ...order.numbers
      .filter((number) => number.activated_at !== null)
      .map((number) => ({
        effect: "event" as const,
        type: "number.activated" as const,
        payload: {
          phone_number: number.phone_number,
          porting_order_id: order.id,
          country_code: order.country_code,
          number_type: order.number_type,
          activated_at: number.activated_at?.getTime() ?? 0,
        },
      })),
  );
}
