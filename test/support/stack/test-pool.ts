import { createPool } from "../../../services/platform/db/pool.ts";
import type { JoiningPool } from "../../../services/platform/db/joining-pool.ts";
import { createLogger } from "../../../services/platform/logger.ts";
import { createTestDatabase } from "./test-stack.ts";

export interface TestPool {
  readonly pool: JoiningPool;
  /** Ends the connections and drops the database. */
  stop(): Promise<void>;
}

/** A database of the test's own, and a service's pool on it. */
export async function openTestPool(size = 4): Promise<TestPool> {
  const database = await createTestDatabase();
  const log = createLogger("test", "silent");
  const pool = createPool({ url: database.url, service: "test", size, log });
  return {
    pool,
    stop: async () => {
      await pool.end();
      await database.drop();
    },
  };
}
