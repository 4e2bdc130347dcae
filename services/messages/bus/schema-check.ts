import { findNewerMigration } from "../../platform/db/newer-migration.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";

/** The number of the newest migration, infra/migrate/migrations; a test compares the two. */
export const NEWEST_MIGRATION = 209;

/**
 * Fails while a service that has started finds the schema of a later version. Once found to be known, the schema may be
 * migrated: processes of the version before keep working until they are replaced.
 */
export function schemaCheck(db: Queryable, newest = NEWEST_MIGRATION): () => Promise<void> {
  let isKnown = false;
  return async () => {
    if (isKnown) return;
    const newer = await findNewerMigration(db, newest).catch(unlessAway);
    if (newer === AWAY) return;
    if (newer !== null) {
      throw new AppError(
        "unavailable",
        `The database was migrated by a later version, to ${newer}: start that version.`,
      );
    }
    isKnown = true;
  };
}

const AWAY = Symbol("the database cannot be reached, which another check says");

function unlessAway(error: unknown): typeof AWAY {
  if (error instanceof AppError && error.retryable) return AWAY;
  throw error;
}
