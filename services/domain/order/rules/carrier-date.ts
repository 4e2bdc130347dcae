import type { CarrierWord } from "./status-update.ts";
import type { Story } from "./order-decision.ts";
import { add, canMove, change, move } from "./order-decision.ts";

/** The date that a word names; a missing one is taken from when it was said. */
export function dateOf(word: CarrierWord): string {
  return word.foc_at ?? word.occurred_at.toISOString();
}

/** Confirms or moves the port date; the same date again is nothing new. */
export function withDate(story: Story, word: CarrierWord, now: Date): Story {
  if (!canMove(story, "carrier_date", "foc_scheduled")) return story;
  const date = dateOf(word);
  const known = story.order.foc_actual;
  const same = known !== null && Date.parse(known) === Date.parse(date);
  if (story.order.status === "foc_scheduled" && same) return story;
  const moved = move(story, { to: "foc_scheduled", now, fields: { foc_actual: date } });
  return add(moved, { effect: "deadline", kind: "foc_reached", due_at: new Date(date) });
}

/** A word that comes while a cancellation waits is kept for the case that the carrier refuses it; no event tells of it. */
export function noteWhileCancelling(story: Story, word: CarrierWord): Story {
  const { cancel } = story.order;
  if (cancel === null) return story;
  const dated = word.kind === "date_confirmed" || word.kind === "date_moved";
  const noted = dated
    ? { noted_status: "foc_scheduled" as const, noted_foc: dateOf(word) }
    : { noted_status: cancel.noted_status ?? ("in_process" as const) };
  return add(change(story, { cancel: { ...cancel, ...noted } }), {
    effect: "timeline",
    kind: "carrier",
    data: { kind: word.kind, raw_status: word.raw_status, foc_at: word.foc_at },
  });
}
