import { makeLogPartitions } from "../../domain/event/store/log-partitions.ts";
import { isPartitionMissing, storeEvents } from "../../domain/event/store/store-events.ts";
import { toStorable } from "../../domain/event/rules/storable-event.ts";
import type { Bus } from "../../messages/bus/bus.ts";
import type { PortingEvent } from "../../messages/generated/porting-event.ts";
import type { ApplyBatch } from "../../platform/kafka/handle-batch.ts";

type Dependencies = Pick<Bus, "pool" | "metrics">;

/** Stores a batch, each event once; creates a month's partition when its first event arrives. */
export function onEvents(
  { pool, metrics }: Dependencies,
  consumer: string,
): ApplyBatch<PortingEvent> {
  const stored = metrics.counter({ name: "events_stored_total", help: "Events new to the log" });
  return async (messages, position) => {
    const events = messages.map(({ message }) => toStorable(message));
    const store = async () => stored.inc(await storeEvents(pool, events, { consumer, position }));
    try {
      await store();
    } catch (error) {
      if (!isPartitionMissing(error)) throw error;
      const months = new Map(events.map(({ createdAt }) => [monthOf(createdAt), createdAt]));
      for (const within of months.values()) await makeLogPartitions(pool, within, within);
      await store();
    }
  };
}

function monthOf(time: Date): string {
  return time.toISOString().slice(0, "2026-01".length);
}
