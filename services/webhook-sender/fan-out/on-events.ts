import { applyEvents } from "../../domain/event/store/apply-events.ts";
import { makeLogPartitions } from "../../domain/event/store/log-partitions.ts";
import type { Bus } from "../../messages/bus/bus.ts";
import type { PortingEvent } from "../../messages/generated/porting-event.ts";
import type { ApplyBatch } from "../../platform/kafka/handle-batch.ts";
import { makeDeliveryPartitions } from "../store/delivery-partitions.ts";
import { fanOut, type QueueDeliveries } from "../store/fan-out.ts";

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
  return applyEvents({
    store: async (round) => announce(await fanOut(pool, { consumer, ...round, now: clock.now() })),
    makePartitions: async (within) => {
      await makeLogPartitions(pool, within, within);
      await makeDeliveryPartitions(pool, within, within);
    },
  });
}
