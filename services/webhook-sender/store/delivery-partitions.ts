import { queryRows, type Queryable } from "../../platform/db/transaction.ts";

const DAY_MS = 86_400_000;
const MONTH_MS = 31 * DAY_MS;
const MONTHS_AHEAD = 3;

/**
 * Creates the missing monthly partitions of deliveries from `first` to `last`, by default three months
 * ahead; returns how many.
 */
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
 * Drops the monthly partitions that ended more than `days` ago, except those with a waiting delivery;
 * returns their names. `days` of 0 keeps them forever. A partition being read is left to the next call.
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
