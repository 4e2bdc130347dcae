import type { AuditEntry } from "../../domain/account/rules/audit-entry.ts";
import type { AccountPrincipal } from "./principal.ts";

export interface CustomerRequest {
  readonly principal: AccountPrincipal;
  readonly requestId: string;
}

/** The audit row's fields for which key acted for which account, when and by which request. */
export function byCustomer(
  { principal: { accountId, keyId }, requestId }: CustomerRequest,
  at: Date,
): Pick<AuditEntry, "at" | "accountId" | "requestId"> & { readonly apiKeyId: string } {
  return { at, accountId, apiKeyId: keyId, requestId };
}
