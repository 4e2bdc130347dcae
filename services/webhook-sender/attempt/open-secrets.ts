import type { Pool } from "pg";
import { ensureAccountSecret } from "../../domain/webhook/store/account-secrets.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Sealed, SecretBox } from "../../platform/secret-box.ts";
import type { ClaimedDelivery } from "../store/claim-deliveries.ts";

export interface SecretSource {
  readonly pool: Pool;
  readonly box: SecretBox;
  readonly clock: Clock;
  readonly open: SecretBox["open"];
}

/**
 * The secrets that sign a delivery now, the current one first. Creates the account's secret if there is
 * none yet.
 */
export async function openSecrets(
  { pool, box, clock, open }: SecretSource,
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
    bytes === null || keyId === null ? [] : [open({ bytes, keyId }, owner)],
  );
}

const MOST_OPENED = 1_000;

/**
 * Opens sealed secrets and caches them in memory, where the key that opens them is as well. A rotated
 * secret is sealed again, so the cache is never stale.
 */
export function createSecretOpener(box: Pick<SecretBox, "open">): SecretBox["open"] {
  const kept = new Map<string, string>();
  return (sealed: Sealed, owner: string): string => {
    const name = `${owner} ${sealed.keyId} ${sealed.bytes.toString("latin1")}`;
    const found = kept.get(name);
    if (found !== undefined) return found;
    const opened = box.open(sealed, owner);
    if (kept.size >= MOST_OPENED) kept.clear();
    kept.set(name, opened);
    return opened;
  };
}
