import { applyEvents } from "../../domain/event/store/apply-events.ts";
import type { StorableEvent } from "../../domain/event/rules/storable-event.ts";
import { makeLogPartitions } from "../../domain/event/store/log-partitions.ts";
import type { Bus } from "../../messages/bus/bus.ts";
import type { PortingEvent } from "../../messages/generated/porting-event.ts";
import type { PartitionBatch } from "../../platform/kafka/apply-together.ts";
import type { ApplyBatch } from "../../platform/kafka/handle-batch.ts";
import { formatTraceparent, isSampled, parseTraceparent } from "../../platform/traceparent.ts";
import { makeDeliveryPartitions } from "../store/delivery-partitions.ts";
import type { HeldSlots } from "../queue/scheduler.ts";
import type { ClaimedDelivery } from "../store/claim-deliveries.ts";
import { fanOut, type QueueDeliveries } from "../store/fan-out.ts";

export interface FanOutOptions {
  readonly consumer: string;
  /** Publishes new deliveries, also those `begun` here; must not throw, since the sweeper finds those that are lost. */
  readonly announce: (
    waiting: readonly QueueDeliveries[],
    begun: readonly QueueDeliveries[],
  ) => void;
  /** Takes slots for the deliveries of events, by the number of events of each account. */
  readonly hold: (events: ReadonlyMap<string, number>) => HeldSlots;
}

/** Stores events and their deliveries, and only then attempts those in slots and announces all. */
export function onEvents(
  { pool, apart, clock }: Pick<Bus, "pool" | "apart" | "clock">,
  { consumer, announce, hold }: FanOutOptions,
): ApplyBatch<PortingEvent> {
  return applyEvents({
    store: async ({ events, positions, batches }) => {
      const traces = sampledTraces(batches);
      const held = hold(countByAccount(events));
      let claimed: readonly ClaimedDelivery[] = [];
      try {
        const batch = { consumer, events, positions, now: clock.now(), traces, rooms: held.rooms };
        const made = await fanOut(pool, batch);
        claimed = made.claimed;
        announce(made.waiting, made.begun);
      } finally {
        await held.begin(claimed);
      }
    },
    makePartitions: async (within) => {
      await makeLogPartitions(pool, within, within);
      await makeDeliveryPartitions(pool, within, within);
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
