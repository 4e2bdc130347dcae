import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";

const DAY_MS = 86_400_000;
const DAYS_AHEAD = 14;

/** Creates the missing daily partitions of the outbox of the next two weeks; returns how many. */
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

const FORGET = {
  inbox: "select messaging.forget_handled($1) as deleted",
  /** Carriers' updates, port-out updates and calls, each provider's last update excepted. */
  carriers: "select carriers.forget_handled($1) as deleted",
};

/**
 * Deletes the records of what was handled longer ago than the retention, a few thousand at a time; returns how many.
 * A retention of 0 keeps everything; those of the webhook fan-out are always kept.
 */
export async function forgetHandled(
  db: Queryable,
  { now, retentionMs }: { readonly now: Date; readonly retentionMs: number },
  mayGoOn: () => boolean,
): Promise<number> {
  if (retentionMs === 0) return 0;
  const before = new Date(now.getTime() - retentionMs);
  let forgotten = 0;
  for (const text of Object.values(FORGET)) {
    while (mayGoOn()) {
      const [row] = await queryRows<{ deleted: number }>(db, { text, values: [before] });
      const deleted = row?.deleted ?? 0;
      forgotten += deleted;
      if (deleted === 0) break;
    }
  }
  return forgotten;
}
