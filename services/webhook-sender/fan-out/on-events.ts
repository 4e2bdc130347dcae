import { applyEvents } from "../../domain/event/store/apply-events.ts";
import { makeLogPartitions } from "../../domain/event/store/log-partitions.ts";
import type { Bus } from "../../messages/bus/bus.ts";
import type { PortingEvent } from "../../messages/generated/porting-event.ts";
import type { PartitionBatch } from "../../platform/kafka/apply-together.ts";
import type { ApplyBatch } from "../../platform/kafka/handle-batch.ts";
import { formatTraceparent, isSampled, parseTraceparent } from "../../platform/traceparent.ts";
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
    store: async ({ events, positions, batches }) => {
      const traces = sampledTraces(batches);
      announce(await fanOut(pool, { consumer, events, positions, now: clock.now(), traces }));
    },
    makePartitions: async (within) => {
      await makeLogPartitions(pool, within, within);
      await makeDeliveryPartitions(pool, within, within);
    },
  });
}

/** The traceparents that the deliveries' attempts, the last of them hours later, continue; undefined if there are none. */
function sampledTraces(
  batches: readonly PartitionBatch<PortingEvent>[],
): Record<string, string> | undefined {
  let traces: Record<string, string> | undefined;
  for (const { messages } of batches) {
    for (const { message, raw } of messages) {
      const parts = parseTraceparent(raw.headers["traceparent"]);
      if (parts === null || !isSampled(parts)) continue;
      traces ??= {};
      traces[message.id] = formatTraceparent(parts);
    }
  }
  return traces;
}
