import "reflect-metadata";
import type { Pool, PoolClient } from "pg";
import { DataSource, type EntityManager, type EntitySchema } from "typeorm";
import { databaseFault } from "./database-fault.ts";
import type { DividedPool } from "./divided-pool.ts";
import { createPool, type PoolOptions } from "./pool.ts";
import type { Queryable } from "./transaction.ts";

export interface EntityDatabase {
  readonly dataSource: DataSource;
  /** The pool under the data source. The caller ends it on stop; the data source holds nothing else. */
  readonly pool: DividedPool;
}

type Entities = readonly EntitySchema[];

/** Creates a pool and a TypeORM data source on it, so that a process has a single set of connections. */
export async function createDataSource(
  options: PoolOptions & { readonly entities: Entities },
): Promise<EntityDatabase> {
  const pool = createPool(options);
  try {
    return { dataSource: await dataSourceOver(pool, options.entities), pool };
  } catch (error) {
    await pool.end();
    throw error;
  }
}

/** A TypeORM data source that uses an existing pool instead of creating its own. */
async function dataSourceOver(pool: Pool, entities: Entities): Promise<DataSource> {
  const dataSource = new DataSource({
    type: "postgres",
    // The driver calls `new driver.Pool(…)` and gets our pool, with its settings and listeners.
    driver: {
      Pool: function borrowedPool() {
        return pool;
      },
    },
    poolErrorHandler: () => undefined,
    installExtensions: false,
    entities: [...entities],
  });
  return fromDatabase(dataSource.initialize());
}

/** Awaits a TypeORM call; a transient fault becomes a retryable `database_unavailable`. */
export async function fromDatabase<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    throw databaseFault(error);
  }
}

/** One transaction with two interfaces: entities through `manager`, literal SQL through `tx`. */
export interface EntityTransaction {
  readonly tx: Queryable;
  readonly manager: EntityManager;
}

/** Runs `work` in one transaction: committed when it returns, rolled back when it throws. */
export async function inEntityTransaction<T>(
  dataSource: DataSource,
  work: (transaction: EntityTransaction) => Promise<T>,
): Promise<T> {
  return fromDatabase(
    dataSource.transaction(async (manager) => work({ tx: await clientOf(manager), manager })),
  );
}

async function clientOf(manager: EntityManager): Promise<PoolClient> {
  return (await manager.queryRunner?.connect()) as PoolClient;
}
