import { constraintOf } from "../../../platform/db/database-fault.ts";
import type { Queryable } from "../../../platform/db/transaction.ts";
import { queryRows } from "../../../platform/db/transaction.ts";
import type { Position } from "../../../platform/inbox/inbox.ts";
import { positionColumns, positionUpsert } from "../../../platform/inbox/inbox.ts";
import type { StorableEvent } from "../rules/storable-event.ts";

const STORE_PARAMETERS = 8;

/** The values for `storeCall`; of an event that comes twice the first is taken. */
export function storeColumns(events: readonly StorableEvent[]): unknown[] {
  const byId = new Map<string, StorableEvent>();
  for (const event of events) if (!byId.has(event.id)) byId.set(event.id, event);
  const once = [...byId.values()];
  return [
    once.map((event) => event.id),
    once.map((event) => event.accountId),
    once.map((event) => event.type),
    once.map((event) => event.orderId),
    once.map((event) => event.sequenceKey),
    once.map((event) => event.orderSequence),
    once.map((event) => event.createdAt.toISOString()),
    once.map((event) => event.body),
  ];
}

/**
 * The call that stores `storeColumns` and gives the number of events that were new, for a statement that does more;
 * its first parameter is `$first`. What it stores is not visible to the rest of its statement.
 */
export function storeCall(first: number): string {
  const at = (n: number): string => `$${first + n}`;
  return `events.store(${at(0)}::uuid[], ${at(1)}::uuid[], ${at(2)}::text[], ${at(3)}::uuid[],
    ${at(4)}::text[], ${at(5)}::integer[], ${at(6)}::timestamptz[], ${at(7)}::bytea[])`;
}

const STORE = `with position as (${positionUpsert(1 + STORE_PARAMETERS)})
  select ${storeCall(1)} as stored`;

/** How far a consumer has come with what is stored. */
export interface ConsumerPosition {
  readonly consumer: string;
  readonly position: Position;
}

/**
 * Stores the events that the log does not have yet, numbered per account in the order given, together with how far
 * the consumer has come: one statement, one commit. Returns how many were new.
 */
export async function storeEvents(
  db: Queryable,
  events: readonly StorableEvent[],
  { consumer, position }: ConsumerPosition,
): Promise<number> {
  const [row] = await queryRows<{ stored: number }>(db, {
    name: "events-store",
    text: STORE,
    values: [...storeColumns(events), ...positionColumns(consumer, position)],
  });
  return row?.stored ?? 0;
}

const CHECK_VIOLATION = "23514";

/** Whether events could not be stored because the log has no partition for their month yet. */
export function isPartitionMissing(error: unknown): boolean {
  return constraintOf(error)?.state === CHECK_VIOLATION;
}
