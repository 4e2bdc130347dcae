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

/**
 * A transaction in which others take part: what is given it works in it and neither commits nor rolls back. What is asked at
 * the same time is asked one after the other, because a client takes one query at a time.
 */
export class OpenTransaction implements Queryable {
  readonly #client: Queryable;
  /** Settles when the query before the next one has ended. */
  #last: Promise<unknown> = Promise.resolve();
  #isOver = false;
  /** The first query that failed: after it Postgres takes no other, and commits nothing. */
  #failed: Promise<unknown> | null = null;

  constructor(client: Queryable) {
    this.#client = client;
  }

  query<R extends QueryResultRow>(config: QueryConfig): Promise<QueryResult<R>> {
    const result = this.#last.then(() => this.#ask<R>(config));
    this.#last = result.catch(() => {
      this.#failed ??= result;
    });
    return result;
  }

  /** Resolves when no query runs on its client any more; later ones are refused. @throws what has failed in it */
  async end(): Promise<void> {
    this.#isOver = true;
    await this.#last;
    await this.#failed;
  }

  #ask<R extends QueryResultRow>(config: QueryConfig): Promise<QueryResult<R>> {
    // Its connection belongs to somebody else next.
    if (this.#isOver) throw new Error("a query came after the end of its transaction");
    return this.#client.query<R>(config);
  }
}

/** Where transactions begin; in one that is open already, they are part of it. */
export type Database = Pool | OpenTransaction;

async function roll(client: PoolClient): Promise<boolean> {
  try {
    await client.query("rollback");
    return true;
  } catch {
    // The connection was lost, and the transaction with it.
    return false;
  }
}

/**
 * Runs `work` in one transaction: committed when it returns, rolled back when it throws. As part of an open one it is
 * committed with that, so whoever catches what it throws must not go on: nothing is undone alone.
 */
export async function inTransaction<T>(
  db: Database,
  work: (tx: Queryable) => Promise<T>,
): Promise<T> {
  if (db instanceof OpenTransaction) return work(db);
  let client: PoolClient;
  try {
    client = await db.connect();
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

/**
 * As `inTransaction`, for work that begins transactions itself, which are part of this one. A statement that has failed
 * fails it, even where the work goes on: Postgres would roll back in place of the commit, and nobody would know.
 */
export function inOpenTransaction<T>(
  pool: Pool,
  work: (tx: OpenTransaction) => Promise<T>,
): Promise<T> {
  return inTransaction(pool, async (client) => {
    const tx = new OpenTransaction(client);
    let result: T;
    try {
      result = await work(tx);
    } catch (error) {
      await tx.end().catch(() => undefined);
      throw error;
    }
    await tx.end();
    return result;
  });
}

/**
 * Locks rows until the transaction ends, then reads them in a separate statement: a single statement that
 * waits for the lock would see other tables as they were before the wait. Both have the values.
 */
export async function lockThenRead<R extends QueryResultRow>(
  tx: Queryable,
  { name, lock, read }: { readonly name: string; readonly lock: string; readonly read: string },
  values: readonly unknown[],
): Promise<R[]> {
  await queryRows(tx, { name: `${name}-lock`, text: lock, values: [...values] });
  return queryRows<R>(tx, { name: `${name}-locked`, text: read, values: [...values] });
}
