import type { AuditEntry } from "../../domain/account/rules/audit-entry.ts";
import type { AccountPrincipal } from "./principal.ts";

export interface CustomerRequest {
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
