import "reflect-metadata";
import { setTimeout as pause } from "node:timers/promises";
import { DataSource, type QueryRunner } from "typeorm";
import { constraintOf } from "../../services/platform/db/database-fault.ts";
import { driverUrl } from "../../services/platform/db/pool.ts";
import { AppError } from "../../services/platform/errors.ts";
import { takeOver } from "./from-0.3/take-over.ts";
import { forgetUndone, recordChecksums, requireKnownHistory } from "./migration-history.ts";
import { ALL_MIGRATIONS } from "./migrations/all-migrations.ts";
import { applyGrants } from "./migrations/apply-grants.ts";
import { requireServer } from "./require-server.ts";

/**
 * Whoever asks for a table behind a waiting migration waits as long as it does, so this is less than what an HTTP
 * service waits for a lock.
 */
const LOCK_WAIT_MS = 1_000;
/** The requests of the meantime are answered before the next try. */
const PAUSE_MS = 2_000;

const LOCK_NOT_AVAILABLE = "55P03";

interface LockPatience {
  /** After that much time without the lock it gives up. */
  readonly patienceMs: number;
  /** Called with the reason each time that it waits. */
  readonly log: (line: string) => void;
}

/**
 * Repeats work that found a table in use, as often as it takes: each try holds up others for a second at most, and
 * begins where the last one was rolled back.
 * @throws `database_unavailable` where the table is still in use when its patience ends, naming the oldest transaction
 */
async function withLockPatience<T>(
  runner: QueryRunner,
  { patienceMs, log }: LockPatience,
  work: () => Promise<T>,
): Promise<T> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (constraintOf(error)?.state !== LOCK_NOT_AVAILABLE) throw error;
      const holder = await oldestTransaction(runner);
      if (performance.now() > deadline) {
        const detail = `The database cannot be migrated: ${holder}. End it and migrate again; what was done is kept.`;
        throw new AppError("database_unavailable", detail, { retryable: true, cause: error });
      }
      log(`the migration waits: ${holder}; trying again in ${PAUSE_MS / 1_000} s`);
      await pause(PAUSE_MS);
    }
  }
}

interface OpenTransaction {
  readonly pid: number;
  readonly name: string;
  readonly seconds: number;
}

/** What most likely has the lock, in words. */
async function oldestTransaction(runner: QueryRunner): Promise<string> {
  const text = `select pid, coalesce(nullif(application_name, ''), usename, backend_type) as name,
      extract(epoch from clock_timestamp() - xact_start)::integer as seconds
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
    order by xact_start limit 1`;
  const [oldest] = (await runner.query(text)) as OpenTransaction[];
  if (oldest === undefined) return "a table was in use";
  const { pid, name, seconds } = oldest;
  return `a table is in use; the oldest transaction is that of ${name} (process ${pid}), open for ${seconds} s`;
}

const MIGRATION_LOCK = 7_202_611;
const MIGRATION_LOCK_POLL_MS = 200;

const PATIENCE_MS = 600_000;

/**
 * Migrates a database to the current schema and grants; idempotent, safe to run concurrently (the second run waits), and
 * while the product is in use: it waits a second at most for a table that is in use, then lets others pass, and tries
 * again for ten minutes.
 * @throws `invalid_config` where the server, the login or a pooler before it cannot be used; `invalid_state` where the database has a migration that is unknown here, or was changed since;
 *   `database_unavailable` where a table stays in use
 */
export async function migrate(
  databaseUrl: string,
  { patienceMs = PATIENCE_MS, log = console.log }: Partial<LockPatience> = {},
): Promise<void> {
  await requireServer(databaseUrl);
  const source = new DataSource({
    type: "postgres",
    url: driverUrl(databaseUrl),
    migrations: ALL_MIGRATIONS,
    migrationsTransactionMode: "each",
    extra: { max: 2, lock_timeout: LOCK_WAIT_MS },
  });
  await source.initialize();
  const lock = source.createQueryRunner();
  try {
    await takeMigrationLock(lock);
    await withLockPatience(lock, { patienceMs, log }, async () => {
      await requireKnownHistory(lock);
      await takeOver(lock);
      await forgetUndone(lock);
      await source.runMigrations();
      await recordChecksums(lock);
      await applyGrants(lock);
    });
  } finally {
    await lock.query("select pg_advisory_unlock($1)", [MIGRATION_LOCK]);
    await lock.release();
    await source.destroy();
  }
}

/** Asks again and again: one that waited in the database would be a transaction for which the building of an index waits. */
async function takeMigrationLock(lock: QueryRunner): Promise<void> {
  for (;;) {
    const [answer] = (await lock.query("select pg_try_advisory_lock($1) as taken", [
      MIGRATION_LOCK,
    ])) as { readonly taken: boolean }[];
    if (answer?.taken === true) return;
    await pause(MIGRATION_LOCK_POLL_MS);
  }
}
