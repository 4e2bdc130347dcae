import { setTimeout as pause } from "node:timers/promises";
import type { Pool } from "pg";
import { z } from "zod";

/** A backend reports its share at most once a second. */
const REPORTED_MS = 1_200;

const counted = z.object({ count: z.coerce.number() });

/** The transactions that the pool's database has ended so far. */
export async function countTransactions(pool: Pool): Promise<number> {
  await pause(REPORTED_MS);
  const { rows } = await pool.query(
    "select xact_commit + xact_rollback as count from pg_stat_database where datname = current_database()",
  );
  return counted.parse(rows[0]).count;
}
