import type { Caller, HttpAppOptions } from "../../platform/http/routing/http-app-options.ts";
import { splitTarget } from "../../platform/http/routing/route-table.ts";
import type { RateLimits } from "../../platform/rate-limit/start-rate-limits.ts";
import {
  authenticatePortal,
  isPortalCookie,
  type FindCookieHolder,
} from "../portal/authenticate-portal.ts";
import { readApiCredential } from "../portal/portal-cookie.ts";
import { requireReach } from "../portal/reach.ts";
import { requireOwnPage } from "../portal/require-own-page.ts";
import {
  authenticateAccount,
  authorizeAccount,
  type AccountAuthenticationDeps,
} from "./authenticate-account.ts";
import { limitedAs, turnsOf, type AccountPrincipal } from "./principal.ts";

export type AccountAccess = Pick<
  HttpAppOptions<AccountPrincipal>,
  | "readCredential"
  | "authenticate"
  | "refused"
  | "admit"
  | "authorize"
  | "describe"
  | "turnsOf"
  | "isPrivate"
>;

interface AccountAccessDeps extends AccountAuthenticationDeps {
  readonly findCookieHolder: FindCookieHolder;
  readonly limits: RateLimits;
  readonly publicUrl: string | undefined;
}

/**
 * Decides who may call the customer API, by a key or by the portal's cookie: 401 without a valid one, 429 above the
 * limits, 403 for a suspended account or a command from another site, 404 for what a portal session does not reach.
 */
export function accountAccess(deps: AccountAccessDeps): AccountAccess {
  const { limits, findCookieHolder, publicUrl } = deps;
  return {
    readCredential: readApiCredential,
    authenticate: (credential) =>
      isPortalCookie(credential)
        ? authenticatePortal(findCookieHolder, credential)
        : authenticateAccount(deps, credential),
    refused: ({ address }: Caller) => limits.refused(address),
    admit: (principal, ctx) => limits.admit(limitedAs(principal), ctx),
    authorize: (principal, route, ctx) => {
      authorizeAccount(principal);
      const { portal } = principal;
      if (portal === undefined || route === null) return;
      if (route.method !== "GET") requireOwnPage(ctx, publicUrl);
      requireReach(portal, route, splitTarget(ctx.req.url ?? "").path);
    },
    turnsOf,
    isPrivate: ({ portal }) => portal !== undefined,
    describe: ({ accountId, portal }) => ({
      account_id: accountId,
      ...(portal === undefined ? {} : { portal_session_id: portal.sessionId }),
    }),
  };
}
