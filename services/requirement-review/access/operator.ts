import type { AuditEntry } from "../../domain/account/rules/audit-entry.ts";

/** The named person whose token a request carries. */
export interface OperatorPrincipal {
  readonly operatorId: string;
  readonly name: string;
}

/** Who did it, when and by which request, as its audit row says. */
export function byOperator(
  { operatorId: id, name }: OperatorPrincipal,
  at: Date,
  requestId: string,
): Pick<AuditEntry, "at" | "operator" | "requestId"> {
  return { at, operator: { id, name }, requestId };
}
