import type { PortingEvent } from "../../../messages/generated/porting-event.ts";
import type { Position } from "../../../platform/inbox/inbox.ts";
import type { RunApart } from "../../../platform/kafka/after-lock.ts";
import { applyTogether, type PartitionBatch } from "../../../platform/kafka/apply-together.ts";
import type { ApplyBatch } from "../../../platform/kafka/handle-batch.ts";
import { toStorable, type StorableEvent } from "../rules/storable-event.ts";
import { isPartitionMissing } from "./store-events.ts";

/** The events of a batch, and the consumer's positions after them. */
export interface EventBatch {
  readonly events: readonly StorableEvent[];
  readonly positions: readonly Position[];
  /** The messages of the events. */
  readonly batches: readonly PartitionBatch<PortingEvent>[];
}

export interface EventStoring {
  /** Stores a batch, in one transaction. */
  readonly store: (batch: EventBatch) => Promise<void>;
  /** Creates what is missing of the monthly partitions of a time. */
  readonly makePartitions: (within: Date) => Promise<void>;
  /** For the work of partitions that wait for locks. */
  readonly apart: RunApart;
}

/** Stores the events of all partitions together; creates a month's partitions when its first event arrives. */
export function applyEvents({
  store,
  makePartitions,
  apart,
}: EventStoring): ApplyBatch<PortingEvent> {
  return applyTogether(async (batches) => {
    const batch: EventBatch = {
      events: batches.flatMap(({ messages }) => messages.map(({ message }) => toStorable(message))),
      positions: batches.map(({ position }) => position),
      batches,
    };
    try {
      await store(batch);
    } catch (error) {
      if (!isPartitionMissing(error)) throw error;
      const months = new Map(batch.events.map(({ createdAt }) => [monthOf(createdAt), createdAt]));
      for (const within of months.values()) await makePartitions(within);
      await store(batch);
    }
  }, apart);
}

function monthOf(time: Date): string {
  return time.toISOString().slice(0, "2026-01".length);
}
