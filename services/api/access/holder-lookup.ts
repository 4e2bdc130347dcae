import { findKeyHolders } from "../../domain/account/store/api-keys.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { gatherCalls } from "../../platform/gather-calls.ts";
import type { FindHolder } from "./authenticate-account.ts";

const MAX_KEYS = 100;

/** Concurrent requests share a look-up that starts after all of them arrived, so a revocation takes effect at once. */
export function createHolderLookup(db: Queryable): FindHolder {
  return gatherCalls({
    run: async (keys: readonly string[]) => {
      const holders = await findKeyHolders(db, keys);
      return (key) => holders.get(key) ?? null;
    },
    most: MAX_KEYS,
  });
}
