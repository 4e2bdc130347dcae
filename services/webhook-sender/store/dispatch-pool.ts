import type { Pool } from "pg";
import { createPool } from "../../platform/db/pool.ts";
import type { Logger } from "../../platform/logger.ts";
import type { WebhookSenderConfig } from "../config.ts";

/** As many statements as dispatch has under way: claims, results, what is due, starts, what is put back. */
const SIZE = 6;

/** Deliveries by their ids whatever is believed of a table that was empty a moment ago, as each month's is at first. */
const PLANNER_SETTINGS = [
  "enable_seqscan=off",
  "enable_bitmapscan=off",
  "enable_hashjoin=off",
  "enable_mergejoin=off",
  "plan_cache_mode=force_generic_plan",
];

/** Dispatch's own connections: its plans do not depend on statistics, and it never waits behind a fan-out. */
export function createDispatchPool(
  config: Pick<WebhookSenderConfig, "DATABASE_URL" | "DATABASE_ROLE" | "DATABASE_POOL_SIZE">,
  service: string,
  log: Logger,
): Pool {
  return createPool({
    url: config.DATABASE_URL,
    role: config.DATABASE_ROLE,
    service,
    size: Math.min(SIZE, config.DATABASE_POOL_SIZE),
    settings: PLANNER_SETTINGS,
    log,
  });
}
