import { queryRows, type Queryable } from "../../platform/db/transaction.ts";

const DAY_MS = 86_400_000;
const MONTH_MS = 31 * DAY_MS;
const MONTHS_AHEAD = 3;

/** Makes the missing monthly partitions of deliveries from `first` to `last`, by default three months ahead; how many. */
export async function makeDeliveryPartitions(
  db: Queryable,
  first: Date,
  last: Date = new Date(first.getTime() + MONTHS_AHEAD * MONTH_MS),
): Promise<number> {
  const [row] = await queryRows<{ made: number }>(db, {
    text: "select webhooks.make_delivery_partitions($1, $2) as made",
    values: [first, last],
  });
  return row?.made ?? 0;
}

/**
 * Drops the months of deliveries that ended more than `days` ago, except those in which one waits to be sent; their
 * names. Days of 0 keep them for ever. A month that somebody reads just now is left to the next call.
 */
export async function dropOldDeliveryPartitions(
  db: Queryable,
  days: number,
  now: Date,
): Promise<string[]> {
  const dropped: string[] = [];
  if (days === 0) return dropped;
  const before = new Date(now.getTime() - days * DAY_MS);
  for (;;) {
    const [row] = await queryRows<{ name: string | null }>(db, {
      text: "select webhooks.drop_delivery_partition($1) as name",
      values: [before],
    });
    if (row === undefined || row.name === null) return dropped;
    dropped.push(row.name);
  }
}
