import type { Caller, HttpAppOptions } from "../../platform/http/routing/http-app.ts";
import type { RateLimits } from "../../platform/rate-limit/start-rate-limits.ts";
import {
  authenticateAccount,
  authorizeAccount,
  type AccountAuthenticationDeps,
} from "./authenticate-account.ts";
import type { AccountPrincipal } from "./principal.ts";

export type AccountAccess = Pick<
  HttpAppOptions<AccountPrincipal>,
  "authenticate" | "refused" | "admit" | "authorize" | "describe"
>;

/** Decides who may call the customer API: 401 without a valid key, 429 above the limits, 403 for a suspended account. */
export function accountAccess(
  deps: AccountAuthenticationDeps & { readonly limits: RateLimits },
): AccountAccess {
  const { limits } = deps;
  return {
    authenticate: (credential) => authenticateAccount(deps, credential),
    refused: ({ address }: Caller) => limits.refused(address),
    admit: ({ accountId }, ctx) => limits.admit(accountId, ctx),
    authorize: authorizeAccount,
    describe: ({ accountId }) => ({ account_id: accountId }),
  };
}
