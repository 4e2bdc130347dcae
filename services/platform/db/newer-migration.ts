import { constraintOf } from "./database-fault.ts";
import { queryRows, type Queryable } from "./transaction.ts";

const NO_SUCH_TABLE = "42P01";

// A migration's name ends in its time in milliseconds, whose last digits are its number.
const NEWER = `select name from messaging.migration_checksums
  where right(name, 13)::bigint % 10000 > $1 order by right(name, 13) desc limit 1`;

/** The newest migration of the database, if it comes after the one with this number. */
export async function findNewerMigration(db: Queryable, number: number): Promise<string | null> {
  try {
    const [newer] = await queryRows<{ name: string }>(db, { text: NEWER, values: [number] });
    return newer?.name ?? null;
  } catch (error) {
    // The database was not migrated yet.
    if (constraintOf(error)?.state === NO_SUCH_TABLE) return null;
    throw error;
  }
}
