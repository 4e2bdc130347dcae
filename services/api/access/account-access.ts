import type { Caller } from "../../platform/http/routing/caller.ts";
import type { HttpAppOptions } from "../../platform/http/routing/http-app.ts";
import type { RateLimits } from "../../platform/rate-limit/start-rate-limits.ts";
import {
  authenticatePortal,
  isPortalCookie,
  type PortalAuthenticationDeps,
} from "../portal/authenticate-portal.ts";
import { readApiCredential } from "../portal/portal-cookie.ts";
import { authorizePortal } from "../portal/reach.ts";
import {
  authenticateAccount,
  authorizeAccount,
  type AccountAuthenticationDeps,
} from "./authenticate-account.ts";
import { limitedAs, type AccountPrincipal } from "./principal.ts";

export type AccountAccess = Pick<
  HttpAppOptions<AccountPrincipal>,
  "readCredential" | "authenticate" | "refused" | "admit" | "authorize" | "describe"
>;

interface AccountAccessDeps extends AccountAuthenticationDeps, PortalAuthenticationDeps {
  readonly limits: RateLimits;
}

/**
 * Decides who may call the customer API, by a key or by the portal's cookie: 401 without a valid one, 429 above the
 * limits, 403 for a suspended account, 404 for what a portal session does not reach.
 */
export function accountAccess(deps: AccountAccessDeps): AccountAccess {
  const { limits } = deps;
  return {
    readCredential: readApiCredential,
    authenticate: (credential, { headers }) =>
      isPortalCookie(credential)
        ? authenticatePortal(deps, credential, headers)
        : authenticateAccount(deps, credential),
    refused: ({ address }: Pick<Caller, "address">) => limits.refused(address),
    admit: (principal, ctx) => limits.admit(limitedAs(principal), ctx),
    authorize: (principal, route, params) => {
      authorizeAccount(principal);
      if (principal.portal !== undefined && route !== null) {
        authorizePortal(principal.portal, route, params);
      }
    },
    describe: ({ accountId, portal }) => ({
      account_id: accountId,
      ...(portal === undefined ? {} : { portal_session_id: portal.sessionId }),
    }),
  };
}
