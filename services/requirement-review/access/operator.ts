import type { AuditActor, AuditEntry } from "../../domain/account/rules/audit-entry.ts";
import type { OperatorRole } from "../../domain/account/rules/operator-role.ts";

/** The named person whose token a request carries. */
export interface OperatorPrincipal {
  readonly operatorId: string;
  readonly name: string;
  readonly role: OperatorRole;
}

/** An operator's request. */
export interface OperatorRequest {
  readonly principal: OperatorPrincipal;
  readonly requestId: string;
}

type OperatorActor = Extract<AuditActor, { readonly operator: unknown }>;

/** The audit row's fields for who did it, when and by which request. */
export function byOperator(
  { principal: { operatorId: id, name }, requestId }: OperatorRequest,
  at: Date,
): Pick<AuditEntry, "at" | "requestId"> & OperatorActor {
  return { at, operator: { id, name }, requestId };
}
