import { conditionsOf, type FilterConditions } from "../../../platform/db/filter-conditions.ts";
import type { QueryResultRow } from "pg";
import type { EventType } from "../../../messages/events.ts";
import { boundValues, type BoundValues } from "../../../platform/db/recordset.ts";
import {
  cutPage,
  rowsOfPage,
  type CreatedWithin,
  type CutRow,
} from "../../../platform/db/id-range.ts";
import { MARK_OF_PRIMARY, MARK_ON_REPLICA } from "../../../platform/db/lagging-reads.ts";
import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import type { Keyset, PageRows } from "../../../platform/http/paging.ts";
import { timeOfId } from "../../../platform/ids.ts";
import type { StoredEvent } from "../rules/storable-event.ts";

export interface EventFilter extends CreatedWithin {
  readonly type?: readonly EventType[] | undefined;
  readonly porting_order_id?: string | undefined;
  /** Of the orders that have it. */
  readonly phone_number?: string | undefined;
}

interface EventList {
  readonly accountId: string;
  readonly scan: Keyset;
  readonly filter: EventFilter;
}

const COLUMNS = "l.id, l.order_id, l.body";

/**
 * An account's events that match every given filter, in scan order of feed positions; null if the cursor is not an
 * event of the account. An event that is stored later never sorts before a cursor that was already read.
 */
export async function listEvents(
  db: Queryable,
  list: EventList,
): Promise<PageRows<StoredEvent> | null> {
  const { cursorId, fetch } = list.scan;
  const page = rowsOfPage(await queryRows<StoredEvent & CutRow>(db, listStatement(list)), fetch);
  if (page.rows.length > 0 || cursorId === null) return page;
  return (await findEvent(db, list.accountId, cursorId)) === null ? null : page;
}

/** An event of the account; null if it has no event with this id. */
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

type Bind = BoundValues["bind"];

/** SQL conditions that limit a scan to a range of the feed. */
type Conditions = readonly string[];

/**
 * Only the given filters are in the text, so that each can use its own index. Types are scanned one by one, because a
 * scan of several is not in feed order.
 */
function listStatement({ accountId, scan, filter }: EventList) {
  const { values, bind } = boundValues(accountId, scan.fetch);
  const { cursorId } = scan;
  const cursor =
    cursorId === null
      ? ""
      : `with cursor as materialized (select seq from events.log where account_id = $1
          and id = ${bind(cursorId)} and created_at = ${bind(timeOfId(cursorId))})`;
  const conditions = conditionsOf<ScannedFilter>(CONDITIONS, filter, bind);
  if (cursorId !== null) conditions.push(`l.seq ${scan.comparison} (select seq from cursor)`);
  const order = `order by seq ${scan.direction} limit $2`;
  const types = [...new Set(filter.type ?? [])].map((type) => `l.type = ${bind(type)}`);
  const { phone_number: number } = filter;
  if (number !== undefined) conditions.push("l.order_id = o.order_id");
  const parts = rangesOf(filter, bind).flatMap((range) =>
    (types.length === 0 ? ["true"] : types).map(
      (type) => `(select ${COLUMNS}, l.seq from events.log l
        where ${["l.account_id = $1", ...conditions, ...range, type].join(" and ")} ${order})`,
    ),
  );
  const scans = parts.join(" union all ");
  const ofOrders = number === undefined ? scans : eachOrderWith(bind(number), scans);
  const page = `select ${COLUMNS}, l.seq from (${ofOrders}) l ${order}`;
  const cut = cutPage(page, `p.seq ${scan.direction}`, "octet_length(p.body)");
  return {
    text: `${cursor} select c.id, c.order_id, c.body, c.found, c.bytes_before from (${cut}) c
      order by c.seq ${scan.direction}`,
    values,
  };
}

/** Each order's events are scanned by themselves, so that no more of them are read than a page takes. */
function eachOrderWith(number: string, scans: string): string {
  return `select l.* from orders.order_numbers o cross join lateral (${scans}) l
    where o.phone_number = ${number} and o.account_id = $1`;
}

type ScannedFilter = Omit<EventFilter, "type" | "phone_number">;

const CONDITIONS = {
  porting_order_id: (at: string) => `l.order_id = ${at}`,
  created_after: (at: string) => `l.created_at >= ${at}`,
  created_before: (at: string) => `l.created_at < ${at}`,
} as const satisfies FilterConditions<ScannedFilter>;

const LATE = "l.reached - l.created_at > interval '1 minute'";

/**
 * Translates dates into bounds on feed positions. An event created at a time or later is never before the position where
 * the feed reached that time. One created earlier is at most a minute of feed after it, or late: a separate range.
 */
function rangesOf(filter: EventFilter, bind: Bind): Conditions[] {
  const { created_after: after, created_before: before } = filter;
  const first =
    after === undefined
      ? []
      : [
          `l.seq >= (select f.seq from events.log f where f.account_id = $1
            and f.reached >= ${bind(after)} order by f.reached, f.seq limit 1)`,
        ];
  if (before === undefined) return [first];
  const last = `l.seq <= (select f.seq from events.log f where f.account_id = $1
    and f.reached < ${bind(before)}::timestamptz + interval '1 minute'
    order by f.reached desc, f.seq desc limit 1)`;
  return [[...first, last, `not (${LATE})`], [LATE]];
}

/** An event with its position in its account's feed: 1, 2, 3 … without gaps. */
export interface FeedEvent extends StoredEvent {
  readonly seq: number;
}

/** The position of an account's event in the feed; null if the account has no event with the id. */
export async function findFeedPosition(
  db: Queryable,
  accountId: string,
  eventId: string,
): Promise<number | null> {
  const [row] = await queryRows<{ seq: string }>(db, {
    name: "feed-place",
    text: "select seq from events.log where account_id = $1 and id = $2 and created_at = $3",
    values: [accountId, eventId, timeOfId(eventId)],
  });
  return row === undefined ? null : Number(row.seq);
}

/** The position of each account's latest event; accounts without events are left out. */
export async function readFeedTips(
  db: Queryable,
  accountIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await queryRows<{ account_id: string; last_seq: string }>(db, {
    name: "feed-tips",
    text: "select account_id, last_seq from events.feed_counters where account_id = any ($1::uuid[])",
    values: [accountIds],
  });
  return new Map(rows.map((row) => [row.account_id, Number(row.last_seq)]));
}

/**
 * Whether a replica has every event of an account that the primary has at this moment: the counter is raised in the
 * transaction that makes its event visible, so that an equal counter stands for an equal feed, in the log of one primary.
 */
export async function hasWholeFeed(
  replica: Queryable,
  primary: Queryable,
  accountId: string,
): Promise<boolean> {
  const [there, here] = await Promise.all([
    readMarkedTip(replica, MARKED_TIP.replica, accountId),
    readMarkedTip(primary, MARKED_TIP.primary, accountId),
  ]);
  return here.mark !== null && there.mark === here.mark && there.tip >= here.tip;
}

const markedTip = (mark: string): string => `select ${mark} as mark,
  coalesce((select last_seq from events.feed_counters where account_id = $1), 0) as tip`;

const MARKED_TIP = {
  replica: { name: "feed-tip-replica", text: markedTip(MARK_ON_REPLICA) },
  primary: { name: "feed-tip-primary", text: markedTip(MARK_OF_PRIMARY) },
} as const;

/** The position of an account's newest event, 0 without one, and the mark of the primary that it was counted by. */
interface MarkedTip {
  readonly mark: string | null;
  readonly tip: number;
}

async function readMarkedTip(
  db: Queryable,
  statement: { readonly name: string; readonly text: string },
  accountId: string,
): Promise<MarkedTip> {
  const values = [accountId];
  const [row] = await queryRows<MarkedTip & QueryResultRow>(db, { ...statement, values });
  return row ?? { mark: null, tip: 0 };
}

/** Reads a part of a feed, in feed order. */
export async function readFeed(
  db: Queryable,
  {
    accountId,
    after,
    limit,
  }: { readonly accountId: string; readonly after: number; readonly limit: number },
): Promise<FeedEvent[]> {
  const rows = await queryRows<Omit<FeedEvent, "seq"> & { seq: string }>(db, {
    name: "feed-read",
    text: `select id, order_id, body, seq from events.log
      where account_id = $1 and seq > $2 order by seq limit $3`,
    values: [accountId, after, limit],
  });
  return rows.map((row) => ({ ...row, seq: Number(row.seq) }));
}
