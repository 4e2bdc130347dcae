import { API_KEY, isWellFormed } from "../../domain/account/rules/api-key.ts";
import type { KeyHolder } from "../../domain/account/store/api-keys.ts";
import { AppError } from "../../platform/errors.ts";
import type { KeyUsage } from "./key-usage.ts";
import type { AccountPrincipal } from "./principal.ts";

/** Finds the holder of a key; null if the key is not valid. */
export type FindHolder = (key: string) => Promise<KeyHolder | null>;

export interface AccountAuthenticationDeps {
  readonly findHolder: FindHolder;
  readonly usage: Pick<KeyUsage, "note">;
}

/** Identifies the account by its key, always looked up and never cached; null for any key that is not valid. */
export async function authenticateAccount(
  { findHolder, usage }: AccountAuthenticationDeps,
  credential: string | null,
): Promise<AccountPrincipal | null> {
  if (credential === null || !isWellFormed(API_KEY, credential)) return null;
  const holder = await findHolder(credential);
  if (holder === null) return null;
  const { account_id: accountId, key_id: keyId, status } = holder;
  usage.note(keyId);
  return { accountId, keyId, suspended: status === "suspended" };
}

/** @throws `account_suspended` */
export function authorizeAccount({ suspended }: AccountPrincipal): void {
  if (suspended) {
    throw new AppError("account_suspended", "Ask the platform's operators why it is suspended.");
  }
}
