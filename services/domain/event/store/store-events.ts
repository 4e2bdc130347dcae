import type { PortingEvent } from "../../../messages/generated/porting-event.ts";
import {
  arrayParameters,
  columnArrays,
  type ArrayParameters,
  type Columns,
  type RowOf,
} from "../../../platform/db/recordset.ts";
import { constraintOf } from "../../../platform/db/database-fault.ts";
import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import { positionsUpsert, positionsValue, type Position } from "../../../platform/inbox/inbox.ts";
import {
  applyTogether,
  type PartitionBatch,
  type RunApart,
} from "../../../platform/kafka/apply-together.ts";
import type { ApplyBatch } from "../../../platform/kafka/handle-batch.ts";
import { firstById, toStorable, type StorableEvent } from "../rules/storable-event.ts";

const MONTH_MS = 31 * 86_400_000;
const MONTHS_AHEAD = 3;

/** Creates missing monthly log partitions from `first` to `last`, by default three months ahead. Returns how many. */
export async function makeLogPartitions(
  db: Queryable,
  first: Date,
  last: Date = new Date(first.getTime() + MONTHS_AHEAD * MONTH_MS),
): Promise<number> {
  const [row] = await queryRows<{ made: number }>(db, {
    text: "select events.make_log_partitions($1, $2) as made",
    values: [first, last],
  });
  return row?.made ?? 0;
}

/** The columns with which events are stored in the log. */
export const EVENT = {
  id: "uuid",
  account_id: "uuid",
  type: "text",
  order_id: "uuid",
  sequence_key: "text",
  order_sequence: "integer",
  at: "timestamptz",
  body: "bytea",
  context: "text",
} as const satisfies Columns;

/** The values of `arrayParameters(EVENT, …)`; of duplicate events only the first is used. */
export function eventArrays(events: readonly StorableEvent[]): unknown[][] {
  return columnArrays(EVENT, [...firstById(events).values()].map(eventRow));
}

function eventRow(event: StorableEvent): RowOf<typeof EVENT> {
  return {
    id: event.id,
    account_id: event.accountId,
    type: event.type,
    order_id: event.orderId,
    sequence_key: event.sequenceKey,
    order_sequence: event.orderSequence,
    at: event.createdAt,
    body: event.body,
    context: event.context,
  };
}

/**
 * The SQL call that stores events and returns how many were new, for use within a larger statement. The rest of that
 * statement does not see the stored rows.
 */
export function storeCall(events: ArrayParameters<typeof EVENT>): string {
  return `events.store(ids => ${events.id}, accounts => ${events.account_id}, types => ${events.type},
    orders => ${events.order_id}, keys => ${events.sequence_key}, sequences => ${events.order_sequence},
    times => ${events.at}, bodies => ${events.body}, contexts => ${events.context})`;
}

const STORE = `with position as (${positionsUpsert("$1")})
  select ${storeCall(arrayParameters(EVENT, 2))} as stored`;

/**
 * Stores the events that are not in the log yet, numbered per account in the given order, together with the consumer's
 * positions, in one statement and one commit. Returns how many were new.
 */
export async function storeEvents(
  db: Queryable,
  events: readonly StorableEvent[],
  { consumer, positions }: { readonly consumer: string; readonly positions: readonly Position[] },
): Promise<number> {
  const [row] = await queryRows<{ stored: number }>(db, {
    name: "events-store",
    text: STORE,
    values: [positionsValue(consumer, positions), ...eventArrays(events)],
  });
  return row?.stored ?? 0;
}

const CHECK_VIOLATION = "23514";

/** Whether storing events failed because the log has no partition for their month yet. */
export function isPartitionMissing(error: unknown): boolean {
  return constraintOf(error)?.state === CHECK_VIOLATION;
}

/** The events of a batch, and the consumer's positions after them. */
interface EventBatch {
  readonly events: readonly StorableEvent[];
  readonly positions: readonly Position[];
  /** The messages of the events. */
  readonly batches: readonly PartitionBatch<PortingEvent>[];
}

interface EventStoring {
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
