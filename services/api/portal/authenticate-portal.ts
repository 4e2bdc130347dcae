import { isWellFormed, PORTAL_COOKIE } from "../../domain/account/rules/api-key.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { gatherCalls } from "../../platform/gather-calls.ts";
import type { AccountPrincipal } from "../access/principal.ts";
import { findCookieHolders, type CookieHolder } from "./store/portal-cookies.ts";

const MAX_COOKIES = 100;

/** Finds who a cookie stands for; null if it is not valid. */
export type FindCookieHolder = (cookie: string) => Promise<CookieHolder | null>;

/** Concurrent requests share a look-up that starts after all of them arrived, so the end of a session counts at once. */
export function createCookieLookup(db: Queryable, clock: Clock): FindCookieHolder {
  return gatherCalls({
    run: async (cookies: readonly string[]) => {
      const holders = await findCookieHolders(db, cookies, clock.now());
      return (cookie) => holders.get(cookie) ?? null;
    },
    most: MAX_COOKIES,
  });
}

export function isPortalCookie(credential: string | null): credential is string {
  return credential !== null && isWellFormed(PORTAL_COOKIE, credential);
}

/** The account that a cookie stands for; null for a cookie that is not valid, or no longer. */
export async function authenticatePortal(
  findCookieHolder: FindCookieHolder,
  cookie: string,
): Promise<AccountPrincipal | null> {
  const holder = await findCookieHolder(cookie);
  if (holder === null) return null;
  return {
    accountId: holder.account_id,
    keyId: holder.api_key_id,
    suspended: holder.is_suspended,
    portal: { sessionId: holder.session_id, orderId: holder.order_id },
  };
}
