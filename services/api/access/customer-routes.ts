import type { AuditEntry } from "../../domain/account/rules/audit-entry.ts";
import type { Actor } from "../../domain/order/rules/order.ts";
import type { Database } from "../../platform/db/transaction.ts";
import { routesFor, type Route } from "../../platform/http/routing/route.ts";

/** A browser that a portal link let in, in place of a key. */
export interface PortalCaller {
  readonly sessionId: string;
  /** The only order that it reaches; null for the whole account. */
  readonly orderId: string | null;
}

/** The account behind a request's API key, or behind the key that made the request's portal session. */
export interface AccountPrincipal {
  readonly accountId: string;
  readonly keyId: string;
  readonly suspended: boolean;
  /** Whether the account has set `number_defaults`; absent where the look-up of the caller did not tell. */
  readonly hasNumberDefaults?: boolean;
  /** Absent where the caller has a key, which gives full access to its account. */
  readonly portal?: PortalCaller;
}

/** The session of an order's link, which is in other hands than the account; else null. */
function orderLinkOf({ portal }: AccountPrincipal): string | null {
  return portal === undefined || portal.orderId === null ? null : portal.sessionId;
}

/** Whose rate limits and slots a request uses: the account's, and before them those of an order's link. */
export function limitedAs(principal: AccountPrincipal): readonly string[] {
  const link = orderLinkOf(principal);
  return link === null ? [principal.accountId] : [link, principal.accountId];
}

/** On whose behalf a request takes its turn at what all share, such as letters: many links have one turn together. */
export function turnsOf({ accountId }: AccountPrincipal): string {
  return `account:${accountId}`;
}

/** Whose idempotency keys a request uses: an order's link neither sees nor takes those of the account. */
export function keysOwnedBy(principal: AccountPrincipal): string {
  const link = orderLinkOf(principal);
  return link === null ? `account:${principal.accountId}` : `portal:${link}`;
}

export type CustomerRoute = Route<AccountPrincipal>;

/** The caller and the object id in the path. */
export interface CustomerPath {
  readonly db: Database;
  readonly principal: AccountPrincipal;
  readonly params: { readonly id: string };
}

/** Routes that require an account's API key. */
export const { GET, POST, PATCH, DELETE } = routesFor<AccountPrincipal, "account">("account");

interface CustomerRequest {
  readonly principal: AccountPrincipal;
  readonly requestId: string;
}

type ByCustomer = Pick<AuditEntry, "at" | "accountId" | "requestId"> & {
  readonly apiKeyId: string;
  readonly isByPortal: boolean;
};

/** The audit row's fields for which key or portal session acted for which account, when and by which request. */
export function byCustomer(
  { principal: { accountId, keyId, portal }, requestId }: CustomerRequest,
  at: Date,
): ByCustomer {
  return { at, accountId, apiKeyId: keyId, isByPortal: portal !== undefined, requestId };
}

/** A customer acts through an API key, or through the portal session that the key made. */
export function customerActor({ keyId, portal }: AccountPrincipal): Actor {
  return { type: "customer", id: keyId, name: portal === undefined ? null : "portal" };
}
