import type { QueryResultRow } from "pg";
import { queryRows, type Queryable } from "./transaction.ts";

/** Two statements with the same values, under the names `<name>-lock` and `<name>-locked`. */
export interface LockedRead {
  readonly name: string;
  readonly lock: string;
  readonly read: string;
}

/**
 * Locks rows until the transaction ends and reads them then, in a statement of its own: one that had to wait for the
 * lock would see other tables as they were before it waited.
 */
export async function lockThenRead<R extends QueryResultRow>(
  tx: Queryable,
  { name, lock, read }: LockedRead,
  values: readonly unknown[],
): Promise<R[]> {
  await queryRows(tx, { name: `${name}-lock`, text: lock, values: [...values] });
  return queryRows<R>(tx, { name: `${name}-locked`, text: read, values: [...values] });
}
