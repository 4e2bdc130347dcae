import type { Breach } from "./check-history.ts";

export interface BreachCounts {
  /** Changes, events, webhooks, calls and port-outs that are missing somewhere. */
  readonly lost: number;
  /** Those that are there more than once. */
  readonly doubled: number;
  /** All others, such as an event of an order that nobody created. */
  readonly other: number;
}

const LOST =
  /^(lost: |feed lacks |log lacks |topic lacks |not delivered: |not live: |reader: |not ended: )|is logged 0 times$/;
const DOUBLED = /^(doubled: |feed: an event is there twice)|is logged ([2-9]|\d\d+) times$/;

export function countBreaches(breaches: readonly Breach[]): BreachCounts {
  const lost = breaches.filter((one) => LOST.test(one)).length;
  const doubled = breaches.filter((one) => !LOST.test(one) && DOUBLED.test(one)).length;
  return { lost, doubled, other: breaches.length - lost - doubled };
}
