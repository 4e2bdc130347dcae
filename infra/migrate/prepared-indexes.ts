import type { QueryRunner } from "typeorm";
import type { LockPatience } from "./lock-patience.ts";

/** An index that a migration gives to a partitioned table. */
export interface PartitionedIndex {
  readonly name: string;
  readonly table: string;
  /** Its columns and its condition. */
  readonly on: string;
}

export interface IndexPreparation extends LockPatience {
  /** The name of the migration that creates the indexes. */
  readonly migration: string;
  readonly indexes: readonly PartitionedIndex[];
  /** Smaller partitions are left to the migration, which has them locked for no longer than a moment. */
  readonly largeBytes?: number;
}

const LARGE_BYTES = 16_000_000;

/**
 * Builds the indexes of a migration that has not run yet on large partitions, while others write: where a partition has
 * an index that is the same, the migration takes it instead of building it under a lock. Killed, it leaves an index that
 * is not valid, which the next run builds again. Waits for transactions that are older than itself, and nobody for it.
 * @throws a fault of the database where such a transaction is still open when its patience ends
 */
export async function prepareIndexes(
  runner: QueryRunner,
  { migration, indexes, largeBytes = LARGE_BYTES, patienceMs, log }: IndexPreparation,
): Promise<void> {
  if (await hasRun(runner, migration)) return;
  // 0 would be no limit.
  await runner.query(`set lock_timeout = ${Math.max(1, patienceMs)}`);
  try {
    for (const index of indexes) {
      for (const partition of await largePartitions(runner, index.table, largeBytes)) {
        await prepareIndex(runner, { index, partition, log });
      }
    }
  } finally {
    await runner.query("reset lock_timeout");
  }
}

async function hasRun(runner: QueryRunner, migration: string): Promise<boolean> {
  const [{ exists } = { exists: false }] = (await runner.query(
    "select to_regclass('public.migrations') is not null as exists",
  )) as { readonly exists: boolean }[];
  if (!exists) return false;
  const text = "select name from public.migrations where name = $1";
  return ((await runner.query(text, [migration])) as unknown[]).length > 0;
}

interface Partition {
  readonly schema: string;
  readonly name: string;
}

async function largePartitions(
  runner: QueryRunner,
  table: string,
  largeBytes: number,
): Promise<readonly Partition[]> {
  const text = `select n.nspname as schema, c.relname as name
    from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_namespace n on n.oid = c.relnamespace
    where i.inhparent = to_regclass($1) and pg_relation_size(c.oid) >= $2 order by c.relname`;
  return (await runner.query(text, [table, largeBytes])) as Partition[];
}

interface Preparation {
  readonly index: PartitionedIndex;
  readonly partition: Partition;
  readonly log: (line: string) => void;
}

async function prepareIndex(
  runner: QueryRunner,
  { index, partition: { schema, name }, log }: Preparation,
): Promise<void> {
  const child = `${name}_${index.name}`;
  const text = "select indisvalid as valid from pg_index where indexrelid = to_regclass($1)";
  const [found] = (await runner.query(text, [`${schema}.${child}`])) as {
    readonly valid: boolean;
  }[];
  if (found?.valid === true) return;
  if (found !== undefined) await runner.query(`drop index concurrently ${schema}.${child}`);
  log(`building ${child} while the product is in use`);
  await runner.query(`create index concurrently ${child} on ${schema}.${name} ${index.on}`);
}
