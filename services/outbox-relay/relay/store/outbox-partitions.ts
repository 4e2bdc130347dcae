import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";

const DAY_MS = 86_400_000;
const DAYS_AHEAD = 14;

/** Creates the missing daily partitions of the next two weeks; returns how many. */
export async function makeOutboxPartitions(db: Queryable, now: Date): Promise<number> {
  const [row] = await queryRows<{ made: number }>(db, {
    text: "select messaging.make_outbox_partitions($1, $2) as made",
    values: [new Date(now.getTime() - DAY_MS), new Date(now.getTime() + DAYS_AHEAD * DAY_MS)],
  });
  return row?.made ?? 0;
}

/** Drops partitions that are older than the retention and fully sent and reconciled; returns how many. */
export async function dropOutboxPartitions(
  db: Queryable,
  now: Date,
  retentionMs: number,
): Promise<number> {
  const [row] = await queryRows<{ dropped: number }>(db, {
    text: `select messaging.drop_done_partitions(($1::timestamptz at time zone 'utc')::date) as dropped`,
    values: [new Date(now.getTime() - retentionMs)],
  });
  return row?.dropped ?? 0;
}
