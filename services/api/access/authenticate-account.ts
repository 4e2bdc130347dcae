import { API_KEY, isWellFormed } from "../../domain/account/rules/api-key.ts";
import type { KeyHolder } from "../../domain/account/store/api-keys.ts";
import { AppError } from "../../platform/errors.ts";
import type { FindOrderCaller } from "../orders/shown/order-caller-lookup.ts";
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
  return holder === null ? null : principalOf(holder, usage);
}

export interface OrderAuthenticationDeps extends Pick<AccountAuthenticationDeps, "usage"> {
  readonly findOrderCaller: FindOrderCaller;
}

/** As `authenticateAccount`, for a request that shows an order: its version is found by the same look-up. */
export async function authenticateForOrder(
  { findOrderCaller, usage }: OrderAuthenticationDeps,
  credential: string | null,
  orderId: string,
): Promise<AccountPrincipal | null> {
  if (credential === null || !isWellFormed(API_KEY, credential)) return null;
  const caller = await findOrderCaller({ key: credential, orderId });
  if (caller === null) return null;
  const seen = { orderId, version: caller.version };
  return { ...principalOf(caller, usage), seen };
}

function principalOf(
  { account_id: accountId, key_id: keyId, status }: KeyHolder,
  usage: Pick<KeyUsage, "note">,
): AccountPrincipal {
  usage.note(keyId);
  return { accountId, keyId, suspended: status === "suspended" };
}

/** @throws `account_suspended` */
export function authorizeAccount({ suspended }: AccountPrincipal): void {
  if (suspended) {
    throw new AppError("account_suspended", "Ask the platform's operators why it is suspended.");
  }
}
