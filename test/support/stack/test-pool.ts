import { createPool, type DividedPool } from "../../../services/platform/db/pool.ts";
import { createLogger } from "../../../services/platform/logger.ts";
import { endAfterTests } from "../lifetime/end-after-tests.ts";
import { createTestDatabase } from "./test-stack.ts";

export interface TestPoolOptions {
  readonly size?: number;
  /** The role that the pool assumes; that of its login unless given. */
  readonly role?: string;
}

/** A service's pool on a database, ended after the tests. */
export function openPoolAt(url: string, options: TestPoolOptions = {}): DividedPool {
  const log = createLogger("test", "silent");
  const pool = createPool({ url, service: "test", size: 4, log, ...options });
  endAfterTests(() => pool.end());
  return pool;
}

/** The same on a new test database. */
export async function openTestPool(options: TestPoolOptions = {}): Promise<DividedPool> {
  return openPoolAt((await createTestDatabase()).url, options);
}
