import type { QueryResultRow } from "pg";
import { MARK_OF_PRIMARY, MARK_ON_REPLICA } from "../../../platform/db/primary-mark.ts";
import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import { timeOfId } from "../../../platform/ids.ts";
import type { StoredEvent } from "../rules/stored-event.ts";

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

/** Up to `limit` events of an account's feed after the position `after`. */
export interface FeedPart {
  readonly accountId: string;
  readonly after: number;
  readonly limit: number;
}

/** Reads a part of a feed, in feed order. */
export async function readFeed(
  db: Queryable,
  { accountId, after, limit }: FeedPart,
): Promise<FeedEvent[]> {
  const rows = await queryRows<Omit<FeedEvent, "seq"> & { seq: string }>(db, {
    name: "feed-read",
    text: `select id, order_id, body, seq from events.log
      where account_id = $1 and seq > $2 order by seq limit $3`,
    values: [accountId, after, limit],
  });
  return rows.map((row) => ({ ...row, seq: Number(row.seq) }));
}
