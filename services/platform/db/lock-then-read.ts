import type { QueryResultRow } from "pg";
import { queryRows, type Queryable } from "./transaction.ts";

/** Two statements with the same values, under the names `<name>-lock` and `<name>-locked`. */
export interface LockedRead {
  readonly name: string;
  readonly lock: string;
  readonly read: string;
}

/**
 * Locks rows until the transaction ends, then reads them in a separate statement: a single statement that
 * waits for the lock would see other tables as they were before the wait.
 */
export async function lockThenRead<R extends QueryResultRow>(
  tx: Queryable,
  { name, lock, read }: LockedRead,
  values: readonly unknown[],
): Promise<R[]> {
  await queryRows(tx, { name: `${name}-lock`, text: lock, values: [...values] });
  return queryRows<R>(tx, { name: `${name}-locked`, text: read, values: [...values] });
}
