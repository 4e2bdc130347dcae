import { setTimeout as pause } from "node:timers/promises";
import {
  applyEvents,
  makeLogPartitions,
  storeEvents,
} from "../../domain/event/store/store-events.ts";
import type { Bus } from "../../messages/bus/bus.ts";
import type { PortingEvent } from "../../messages/generated/porting-event.ts";
import type { ApplyBatch } from "../../platform/kafka/handle-batch.ts";

type Dependencies = Pick<Bus, "pool" | "apart" | "metrics" | "clock">;

/**
 * The webhook sender stores events before it delivers them. Both count an account's events by the same row, so that
 * this one waits until an event is so old, and then finds nearly all of them stored, and many of them at a time. Without
 * the sender an event is still in the feed within a second.
 */
const TURN_MS = 400;

/** Stores a batch, each event once. */
export function onEvents(
  { pool, apart, metrics, clock }: Dependencies,
  consumer: string,
): ApplyBatch<PortingEvent> {
  const stored = metrics.counter({ name: "events_stored_total", help: "Events new to the log" });
  const read = metrics.counter({
    name: "porting_events_total",
    help: "Events read from the topic, by type, whoever stored them",
    labels: ["type"],
  });
  const apply = applyEvents({
    store: async ({ events, positions }) => {
      stored.inc(await storeEvents(pool, events, { consumer, positions }));
      for (const { type } of events) read.inc({ type });
    },
    makePartitions: async (within) => {
      await makeLogPartitions(pool, within, within);
    },
    apart,
  });
  return async (messages, position) => {
    const writtenAt = messages.at(-1)?.raw.timestamp ?? 0;
    const youngMs = TURN_MS - (clock.now().getTime() - writtenAt);
    if (youngMs > 0) await pause(Math.min(youngMs, TURN_MS));
    await apply(messages, position);
  };
}
