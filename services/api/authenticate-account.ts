import { API_KEY, isWellFormed } from "../domain/account/api-key.ts";
import { findKeyHolder } from "../domain/account/api-key-store.ts";
import type { Queryable } from "../platform/db/transaction.ts";
import { AppError } from "../platform/errors.ts";
import type { KeyUsage } from "./key-usage.ts";
import type { AccountPrincipal } from "./principal.ts";

export interface AccountAuthenticationDeps {
  readonly pool: Queryable;
  readonly usage: Pick<KeyUsage, "note">;
}

/** Whose key it is, by one look-up and no cache; null, without a difference, for any key that does not count. */
export async function authenticateAccount(
  { pool, usage }: AccountAuthenticationDeps,
  credential: string | null,
): Promise<AccountPrincipal | null> {
  if (credential === null || !isWellFormed(API_KEY, credential)) return null;
  const holder = await findKeyHolder(pool, credential);
  if (holder === null) return null;
  usage.note(holder.key_id);
  return {
    accountId: holder.account_id,
    keyId: holder.key_id,
    suspended: holder.status === "suspended",
  };
}

/** @throws `account_suspended` */
export function authorizeAccount({ suspended }: AccountPrincipal): void {
  if (suspended) {
    throw new AppError("account_suspended", "Ask the platform's operators why it is suspended.");
  }
}
