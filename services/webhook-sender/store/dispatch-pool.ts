import type { DividedPool } from "../../platform/db/divided-pool.ts";
import { LOOKUPS_BY_KEY } from "../../platform/db/planner-settings.ts";
import { createPool } from "../../platform/db/pool.ts";
import type { Logger } from "../../platform/logger.ts";
import type { WebhookSenderConfig } from "../config.ts";

/**
 * One connection per concurrent statement of dispatch: claims, results, due deliveries, starts,
 * put-backs.
 */
const SIZE = 6;

/**
 * Separate connections for dispatch: its plans do not depend on statistics, and it never waits behind a
 * fan-out.
 */
export function createDispatchPool(
  config: Pick<WebhookSenderConfig, "DATABASE_URL" | "DATABASE_ROLE" | "DATABASE_POOL_SIZE">,
  service: string,
  log: Logger,
): DividedPool {
  return createPool({
    url: config.DATABASE_URL,
    role: config.DATABASE_ROLE,
    service,
    size: Math.min(SIZE, config.DATABASE_POOL_SIZE),
    settings: LOOKUPS_BY_KEY,
    log,
  });
}
