import { setTimeout as pause } from "node:timers/promises";
import { makeLogPartitions } from "../../domain/event/store/log-partitions.ts";
import { isPartitionMissing, storeEvents } from "../../domain/event/store/store-events.ts";
import { toStorable } from "../../domain/event/rules/storable-event.ts";
import type { Bus } from "../../messages/bus/bus.ts";
import type { PortingEvent } from "../../messages/generated/porting-event.ts";
import { applyTogether } from "../../platform/kafka/apply-together.ts";
import type { ApplyBatch } from "../../platform/kafka/handle-batch.ts";

type Dependencies = Pick<Bus, "pool" | "metrics" | "clock">;

/**
 * The webhook sender stores events before it delivers them. Both count an account's events by the same row, so that
 * this one waits until an event is so old, and then finds nearly all of them stored.
 */
const TURN_MS = 150;

/** Stores a batch, each event once; creates a month's partition when its first event arrives. */
export function onEvents(
  { pool, metrics, clock }: Dependencies,
  consumer: string,
): ApplyBatch<PortingEvent> {
  const stored = metrics.counter({ name: "events_stored_total", help: "Events new to the log" });
  const apply = applyTogether<PortingEvent>(async (batches) => {
    const events = batches.flatMap(({ messages }) =>
      messages.map(({ message }) => toStorable(message)),
    );
    const positions = batches.map(({ position }) => position);
    const store = async () => stored.inc(await storeEvents(pool, events, { consumer, positions }));
    try {
      await store();
    } catch (error) {
      if (!isPartitionMissing(error)) throw error;
      const months = new Map(events.map(({ createdAt }) => [monthOf(createdAt), createdAt]));
      for (const within of months.values()) await makeLogPartitions(pool, within, within);
      await store();
    }
  });
  return async (messages, position) => {
    const writtenAt = messages.at(-1)?.raw.timestamp ?? 0;
    const youngMs = TURN_MS - (clock.now().getTime() - writtenAt);
    if (youngMs > 0) await pause(Math.min(youngMs, TURN_MS));
    await apply(messages, position);
  };
}

function monthOf(time: Date): string {
  return time.toISOString().slice(0, "2026-01".length);
}
