import type { Pool, PoolClient, QueryConfig, QueryResult, QueryResultRow } from "pg";
import { databaseFault, isUnanswered } from "./database-fault.ts";

/** Runs one statement: a pool (in its own transaction) or an open transaction. */
export interface Queryable {
  query<R extends QueryResultRow>(config: QueryConfig): Promise<QueryResult<R>>;
}

/** A statement, with the time that its answer may take where that is not the connection's. */
export interface Statement extends QueryConfig {
  readonly query_timeout?: number;
}

/** Runs one statement and returns its rows; a transient fault becomes a retryable `database_unavailable`. */
export async function queryRows<R extends QueryResultRow>(
  db: Queryable,
  config: Statement,
): Promise<R[]> {
  try {
    return (await db.query<R>(config)).rows;
  } catch (error) {
    throw databaseFault(error);
  }
}

async function roll(client: PoolClient): Promise<boolean> {
  try {
    await client.query("rollback");
    return true;
  } catch {
    // The connection was lost, and the transaction with it.
    return false;
  }
}

/** Runs `work` in one transaction: committed when it returns, rolled back when it throws. */
export async function inTransaction<T>(
  pool: Pool,
  work: (tx: Queryable) => Promise<T>,
): Promise<T> {
  let client: PoolClient;
  try {
    client = await pool.connect();
  } catch (error) {
    throw databaseFault(error);
  }
  let usable = true;
  try {
    await client.query("begin");
    const result = await work(client);
    await client.query("commit");
    return result;
  } catch (error) {
    usable = !isUnanswered(error) && (await roll(client));
    throw databaseFault(error);
  } finally {
    client.release(!usable);
  }
}
