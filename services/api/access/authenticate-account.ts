import { API_KEY, isWellFormed } from "../../domain/account/rules/api-key.ts";
import { findKeyHolders, type KeyHolder } from "../../domain/account/store/api-keys.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { gatherCalls } from "../../platform/gather-calls.ts";
import type { KeyUsage } from "./key-usage.ts";
import type { AccountPrincipal } from "./principal.ts";

/** The holder of a key, null for one that does not count. */
export type FindHolder = (key: string) => Promise<KeyHolder | null>;

export interface AccountAuthenticationDeps {
  readonly findHolder: FindHolder;
  readonly usage: Pick<KeyUsage, "note">;
}

const MOST_KEYS = 100;

/** Requests that come together share a look-up, which each of them came before: a revocation holds at once. */
export function createHolderLookup(db: Queryable): FindHolder {
  return gatherCalls({
    run: async (keys: readonly string[]) => {
      const holders = await findKeyHolders(db, keys);
      return (key) => holders.get(key) ?? null;
    },
    most: MOST_KEYS,
  });
}

/** Whose key it is, by a look-up and no cache; null, without a difference, for any key that does not count. */
export async function authenticateAccount(
  { findHolder, usage }: AccountAuthenticationDeps,
  credential: string | null,
): Promise<AccountPrincipal | null> {
  if (credential === null || !isWellFormed(API_KEY, credential)) return null;
  const holder = await findHolder(credential);
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
