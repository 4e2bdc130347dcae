import { findKeyHolder } from "../../services/domain/account/store/api-keys.ts";
import { ensureAccountSecret } from "../../services/domain/webhook/store/account-secrets.ts";
import { systemClock } from "../../services/platform/clock.ts";
import { createPool } from "../../services/platform/db/pool.ts";
import { AppError } from "../../services/platform/errors.ts";
import { createLogger } from "../../services/platform/logger.ts";
import type { SecretBox } from "../../services/platform/secret-box.ts";

/**
 * The current secret of the key's account for orders' own `webhook_url`, created where it has none. It is read at each
 * start, so that a rotated one is shown too.
 */
export async function readAccountSecret(
  databaseUrl: string,
  apiKey: string,
  box: SecretBox,
): Promise<string> {
  const log = createLogger("first-access", "warn");
  const pool = createPool({ url: databaseUrl, service: "first-access", size: 1, log });
  try {
    const holder = await findKeyHolder(pool, apiKey);
    if (holder === null) throw new AppError("not_found", "The first API key is not valid.");
    const context = { accountId: holder.account_id, box, now: systemClock.now() };
    return await ensureAccountSecret(pool, context);
  } finally {
    await pool.end();
  }
}
