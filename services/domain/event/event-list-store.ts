import type { EventType } from "../../messages/event-types.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { queryRows } from "../../platform/db/transaction.ts";
import { timeOfId } from "../../platform/ids.ts";
import type { StoredEvent } from "./stored-event.ts";

export interface EventFilter {
  readonly type?: readonly EventType[] | undefined;
  readonly porting_order_id?: string | undefined;
  /** Inclusive. */
  readonly created_after?: Date | undefined;
  /** Exclusive. */
  readonly created_before?: Date | undefined;
}

/** One page's scan: up to `fetch` events beyond the cursor in `direction` of the feed's numbers. */
export interface EventScan {
  readonly direction: "asc" | "desc";
  readonly comparison: ">" | "<";
  /** An event id, exclusive; null begins at the end of the feed that `direction` comes from. */
  readonly cursorId: string | null;
  readonly fetch: number;
}

const COLUMNS = "l.id, l.order_id, l.body";

/**
 * An account's events that fit every given filter, in scan order; null where the account has no event of the cursor's
 * id. An event that is stored later never falls behind a cursor that was read.
 */
export async function listEvents(
  db: Queryable,
  accountId: string,
  scan: EventScan,
  filter: EventFilter,
): Promise<StoredEvent[] | null> {
  const rows = await queryRows<StoredEvent>(db, listStatement(accountId, scan, filter));
  const { cursorId } = scan;
  if (rows.length > 0 || cursorId === null) return rows;
  return (await findEvent(db, accountId, cursorId)) === null ? null : rows;
}

/** An event of the account; null where it has none of this id. */
export async function findEvent(
  db: Queryable,
  accountId: string,
  id: string,
): Promise<StoredEvent | null> {
  const [event] = await queryRows<StoredEvent>(db, {
    name: "event-find",
    text: `select ${COLUMNS} from events.log l
      where l.account_id = $1 and l.id = $2 and l.created_at = $3`,
    values: [accountId, id, timeOfId(id)],
  });
  return event ?? null;
}

/**
 * Only the filters given are in the text, so that each is served from its own index. Types are scanned one by one,
 * because a scan of several is not in the feed's order.
 */
function listStatement(accountId: string, scan: EventScan, filter: EventFilter) {
  const values: unknown[] = [accountId, scan.fetch];
  const place = (value: unknown): string => `$${values.push(value)}`;
  const { cursorId } = scan;
  const cursor =
    cursorId === null
      ? ""
      : `with cursor as materialized (select seq from events.log where account_id = $1
          and id = ${place(cursorId)} and created_at = ${place(timeOfId(cursorId))})`;
  const conditions = conditionsOf(filter, place);
  if (cursorId !== null) conditions.push(`l.seq ${scan.comparison} (select seq from cursor)`);
  const order = `order by seq ${scan.direction} limit $2`;
  const part = (condition: string): string => `(select ${COLUMNS}, l.seq from events.log l
    where l.account_id = $1 ${[...conditions, condition].map((one) => `and ${one}`).join(" ")}
    ${order})`;
  const types = [...new Set(filter.type ?? [])];
  const parts =
    types.length === 0 ? [part("true")] : types.map((type) => part(`l.type = ${place(type)}`));
  return {
    text: `${cursor} select ${COLUMNS} from (${parts.join(" union all ")}) l ${order}`,
    values,
  };
}

function conditionsOf(filter: EventFilter, place: (value: unknown) => string): string[] {
  const { porting_order_id: orderId, created_after: after, created_before: before } = filter;
  return [
    ...(orderId === undefined ? [] : [`l.order_id = ${place(orderId)}`]),
    ...(after === undefined ? [] : [`l.created_at >= ${place(after)}`]),
    ...(before === undefined ? [] : [`l.created_at < ${place(before)}`]),
  ];
}
