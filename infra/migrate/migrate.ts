import "reflect-metadata";
import { setTimeout as pause } from "node:timers/promises";
import { DataSource, type QueryRunner } from "typeorm";
import { driverUrl } from "../../services/platform/db/pool.ts";
import { takeOver } from "./from-0.3/take-over.ts";
import { LOCK_WAIT_MS, withLockPatience, type LockPatience } from "./lock-patience.ts";
import { forgetUndone, recordChecksums, requireKnownHistory } from "./migration-history.ts";
import { ALL_MIGRATIONS } from "./migrations/all-migrations.ts";
import { applyGrants } from "./migrations/apply-grants.ts";
import { requireServer } from "./require-server.ts";

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
