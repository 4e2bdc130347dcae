import "reflect-metadata";
import { DataSource } from "typeorm";
import { forgetUndone, recordChecksums, requireKnownHistory } from "./migration-history.ts";
import { ALL_MIGRATIONS } from "./migrations/all-migrations.ts";
import { applyGrants } from "./migrations/apply-grants.ts";

const MIGRATION_LOCK = 7_202_611;

/**
 * Migrates a database to the current schema and grants; idempotent and safe to run concurrently (the second run waits).
 * @throws `invalid_state` where the database has a migration that is unknown here, or was changed since
 */
export async function migrate(databaseUrl: string): Promise<void> {
  const source = new DataSource({
    type: "postgres",
    url: databaseUrl,
    migrations: ALL_MIGRATIONS,
    migrationsTransactionMode: "each",
    extra: { max: 2 },
  });
  await source.initialize();
  const lock = source.createQueryRunner();
  try {
    await lock.query("select pg_advisory_lock($1)", [MIGRATION_LOCK]);
    await requireKnownHistory(lock);
    await forgetUndone(lock);
    await source.runMigrations();
    await recordChecksums(lock);
    await applyGrants(lock);
  } finally {
    await lock.query("select pg_advisory_unlock($1)", [MIGRATION_LOCK]);
    await lock.release();
    await source.destroy();
  }
}
