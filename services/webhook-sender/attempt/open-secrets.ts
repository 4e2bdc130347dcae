import type { Pool } from "pg";
import { ensureAccountSecret } from "../../domain/webhook/store/account-secrets.ts";
import type { Clock } from "../../platform/clock.ts";
import type { SecretBox } from "../../platform/secret-box.ts";
import type { ClaimedDelivery } from "../store/claim-deliveries.ts";

export interface SecretSource {
  readonly pool: Pool;
  readonly box: SecretBox;
  readonly clock: Clock;
}

/**
 * The secrets that sign a delivery now, the current one first. Creates the account's secret if there is
 * none yet.
 */
export async function openSecrets(
  { pool, box, clock }: SecretSource,
  delivery: ClaimedDelivery,
): Promise<readonly string[]> {
  const { secret_owner: owner, account_id: accountId } = delivery;
  if (owner === null) {
    return [await ensureAccountSecret(pool, { accountId, box, now: clock.now() })];
  }
  const stored = [
    { bytes: delivery.signing_secret, keyId: delivery.secret_key_id },
    { bytes: delivery.previous_secret, keyId: delivery.previous_secret_key_id },
  ];
  return stored.flatMap(({ bytes, keyId }) =>
    bytes === null || keyId === null ? [] : [box.open({ bytes, keyId }, owner)],
  );
}
