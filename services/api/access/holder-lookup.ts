import { findKeyHolders } from "../../domain/account/store/api-keys.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { gatherCalls } from "../../platform/gather-calls.ts";
import type { FindHolder } from "./authenticate-account.ts";

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
