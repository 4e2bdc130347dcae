import { applyEvents, makeLogPartitions } from "../../domain/event/store/store-events.ts";
import type { StorableEvent } from "../../domain/event/rules/storable-event.ts";
import type { Bus } from "../../messages/bus/bus.ts";
import type { PortingEvent } from "../../messages/generated/porting-event.ts";
import type { PartitionBatch } from "../../platform/kafka/apply-together.ts";
import type { ApplyBatch } from "../../platform/kafka/handle-batch.ts";
import { formatTraceparent, isSampled, parseTraceparent } from "../../platform/traceparent.ts";
import type { Notices } from "../notices/notices.ts";
import { PRIORITIES } from "../queue/endpoint-queue.ts";
import type { Scheduler } from "../queue/scheduler.ts";
import { makeDeliveryPartitions } from "../store/delivery-partitions.ts";
import { fanOut } from "../store/fan-out.ts";

/** Stores events and their deliveries, and only then attempts these. */
export function onEvents(
  { pool, apart, clock }: Pick<Bus, "pool" | "apart" | "clock">,
  consumer: string,
  {
    scheduler,
    notices,
  }: {
    readonly scheduler: Pick<Scheduler, "rooms" | "begin" | "wake">;
    readonly notices: Pick<Notices, "ofEvents"> | null;
  },
): ApplyBatch<PortingEvent> {
  return applyEvents({
    store: async ({ events, positions, batches }) => {
      // Before the batch is handled: one that comes again finds its notices by their keys.
      await notices?.ofEvents(
        batches.flatMap(({ messages }) => messages.map(({ message }) => message)),
      );
      const traces = sampledTraces(batches);
      const rooms = scheduler.rooms(countByAccount(events));
      const batch = { consumer, events, positions, now: clock.now(), traces, rooms };
      const { claimed, waiting } = await fanOut(pool, batch);
      scheduler.wake(
        waiting.map(({ endpoint_key }) => ({ endpoint_key, priority: PRIORITIES.first })),
      );
      await scheduler.begin(claimed);
    },
    makePartitions: async (within) => {
      await makeLogPartitions(pool, within, within);
      await makeDeliveryPartitions(pool, clock.now());
    },
    apart,
  });
}

function countByAccount(events: readonly StorableEvent[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { accountId } of events) counts.set(accountId, (counts.get(accountId) ?? 0) + 1);
  return counts;
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
      traces[message.id] ??= formatTraceparent(parts);
    }
  }
  return traces;
}
