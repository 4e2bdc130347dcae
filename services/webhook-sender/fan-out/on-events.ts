import { makeLogPartitions } from "../../domain/event/store/log-partitions.ts";
import { isPartitionMissing } from "../../domain/event/store/store-events.ts";
import { toStorable } from "../../domain/event/rules/storable-event.ts";
import type { Bus } from "../../messages/bus/bus.ts";
import type { PortingEvent } from "../../messages/generated/porting-event.ts";
import { applyTogether } from "../../platform/kafka/apply-together.ts";
import type { ApplyBatch } from "../../platform/kafka/handle-batch.ts";
import { makeDeliveryPartitions } from "../store/delivery-partitions.ts";
import { fanOut, type FanOutBatch, type QueueDeliveries } from "../store/fan-out.ts";

export interface FanOutOptions {
  readonly consumer: string;
  /** Publishes new deliveries; must not throw, since the sweeper finds those that are lost. */
  readonly announce: (queues: readonly QueueDeliveries[]) => void;
}

/** Stores events and their deliveries, and only then announces the deliveries. */
export function onEvents(
  { pool, clock }: Pick<Bus, "pool" | "clock">,
  { consumer, announce }: FanOutOptions,
): ApplyBatch<PortingEvent> {
  return applyTogether(async (batches) => {
    const events = batches.flatMap(({ messages }) =>
      messages.map(({ message }) => toStorable(message)),
    );
    const positions = batches.map(({ position }) => position);
    const batch: FanOutBatch = { consumer, events, positions, now: clock.now() };
    try {
      announce(await fanOut(pool, batch));
    } catch (error) {
      if (!isPartitionMissing(error)) throw error;
      const months = new Map(events.map(({ createdAt }) => [monthOf(createdAt), createdAt]));
      for (const within of months.values()) {
        await makeLogPartitions(pool, within, within);
        await makeDeliveryPartitions(pool, within, within);
      }
      announce(await fanOut(pool, batch));
    }
  });
}

function monthOf(time: Date): string {
  return time.toISOString().slice(0, "2026-01".length);
}
