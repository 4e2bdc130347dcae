import { constraintOf } from "../../../platform/db/database-fault.ts";
import {
  arrayParameters,
  columnArrays,
  type ArrayParameters,
} from "../../../platform/db/column-arrays.ts";
import type { Columns, RowOf } from "../../../platform/db/recordset.ts";
import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import { positionsUpsert, positionsValue, type Position } from "../../../platform/inbox/inbox.ts";
import { firstById, type StorableEvent } from "../rules/storable-event.ts";

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

/** A consumer's positions in the partitions of a round, stored together with its events. */
export interface ConsumerPositions {
  readonly consumer: string;
  readonly positions: readonly Position[];
}

/**
 * Stores the events that are not in the log yet, numbered per account in the given order, together with the consumer's
 * positions, in one statement and one commit. Returns how many were new.
 */
export async function storeEvents(
  db: Queryable,
  events: readonly StorableEvent[],
  { consumer, positions }: ConsumerPositions,
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
