import { constraintOf } from "../../platform/db/database-fault.ts";
import { queryRows, type Queryable } from "../../platform/db/transaction.ts";
import { AppError, type ErrorCode } from "../../platform/errors.ts";
import type { HealthChecks } from "../../platform/health.ts";
import type { Bus } from "./bus.ts";

const NO_SUCH_TABLE = "42P01";

// A migration's name ends in its time in milliseconds, whose last digits are its number.
const NEWER = `select name from messaging.migration_checksums
  where right(name, 13)::bigint % 10000 > $1 order by right(name, 13) desc limit 1`;

/** The newest migration of the database, if it comes after the one with this number. */
async function findNewerMigration(db: Queryable, number: number): Promise<string | null> {
  try {
    const [newer] = await queryRows<{ name: string }>(db, { text: NEWER, values: [number] });
    return newer?.name ?? null;
  } catch (error) {
    // The database was not migrated yet.
    if (constraintOf(error)?.state === NO_SUCH_TABLE) return null;
    throw error;
  }
}

/** The number of the newest migration, infra/migrate/migrations; a test compares the two. */
export const NEWEST_MIGRATION = 222;

/**
 * Fails while a service that has started finds the schema of a later version. Once found to be known, the schema may be
 * migrated: processes of the version before keep working until they are replaced.
 */
function schemaCheck(db: Queryable, newest = NEWEST_MIGRATION): () => Promise<void> {
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

/** Ready when the database responds, with a schema that this version knows. */
export function busChecks({ pool }: Pick<Bus, "pool">): HealthChecks {
  return {
    database: async () => {
      await pool.query("select 1");
    },
    schema: schemaCheck(pool),
  };
}

/** Ready when the consumers have joined their groups. */
export function joinedCheck(areJoined: () => boolean): HealthChecks {
  return { broker: failsUnless(areJoined, "broker_unavailable", "Not in the consumer group yet.") };
}

export function failsUnless(
  holds: () => boolean,
  code: ErrorCode,
  detail: string,
): () => Promise<void> {
  return () => (holds() ? Promise.resolve() : Promise.reject(new AppError(code, detail)));
}

export interface HealthAddress {
  readonly LISTEN_HOST: string;
  readonly HEALTH_PORT: number;
}
