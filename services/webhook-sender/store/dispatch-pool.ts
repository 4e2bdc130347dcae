import type { JoiningPool } from "../../platform/db/joining-pool.ts";
import { createPool } from "../../platform/db/pool.ts";
import type { Logger } from "../../platform/logger.ts";
import type { WebhookSenderConfig } from "../config.ts";

/**
 * One connection per concurrent statement of dispatch: claims, results, due deliveries, starts,
 * put-backs.
 */
const SIZE = 6;

/**
 * Forces lookups by id, even where the statistics still show an empty table, as at the start of each
 * month.
 */
const PLANNER_SETTINGS = [
  "enable_seqscan=off",
  "enable_bitmapscan=off",
  "enable_hashjoin=off",
  "enable_mergejoin=off",
  "plan_cache_mode=force_generic_plan",
];

/**
 * Separate connections for dispatch: its plans do not depend on statistics, and it never waits behind a
 * fan-out.
 */
export function createDispatchPool(
  config: Pick<WebhookSenderConfig, "DATABASE_URL" | "DATABASE_ROLE" | "DATABASE_POOL_SIZE">,
  service: string,
  log: Logger,
): JoiningPool {
  return createPool({
    url: config.DATABASE_URL,
    role: config.DATABASE_ROLE,
    service,
    size: Math.min(SIZE, config.DATABASE_POOL_SIZE),
    settings: PLANNER_SETTINGS,
    log,
  });
}
