import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";

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
