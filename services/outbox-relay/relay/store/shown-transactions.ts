import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";

const SNAPSHOT = {
  name: "relay-snapshot",
  text: "select pg_current_snapshot()::text as snapshot",
};

/** Whether whoever reads the database from now on sees what these transactions wrote. */
export async function areShown(db: Queryable, xids: ReadonlySet<number>): Promise<boolean> {
  if (xids.size === 0) return true;
  const [row] = await queryRows<{ snapshot: string }>(db, SNAPSHOT);
  return row !== undefined && showsAll(row.snapshot, xids);
}

/**
 * Whether a snapshot, as Postgres writes it (`xmin:xmax:xid,xid`, in 64 bits), shows transactions, of which the log has the
 * lower 32 bits: each is less than half of the circle away from `xmax`.
 */
export function showsAll(snapshot: string, xids: ReadonlySet<number>): boolean {
  const [xmin = "", xmax = "", open = ""] = snapshot.split(":");
  const [first, next] = [BigInt(xmin), BigInt(xmax)];
  const running = new Set(open === "" ? [] : open.split(",").map(BigInt));
  return [...xids].every((lower) => {
    const xid = next + BigInt.asIntN(32, BigInt(lower) - next);
    return xid < first || (xid < next && !running.has(xid));
  });
}
