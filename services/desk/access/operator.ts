import type { AuditActor, AuditEntry } from "../../domain/account/rules/audit-entry.ts";
import type { OperatorRole } from "../../domain/account/rules/operator-role.ts";
import type { Database } from "../../platform/db/transaction.ts";
import type { OwnSession } from "../session/require-own-page.ts";

/** The named person whose token, or whose session by a token, a request carries. */
export interface OperatorPrincipal {
  readonly operatorId: string;
  readonly name: string;
  readonly role: OperatorRole;
  readonly tokenId: string;
  /** Null where the request carries the token itself. */
  readonly session: OwnSession | null;
}

/** An operator's request. */
export interface OperatorRequest {
  readonly db: Database;
  readonly principal: OperatorPrincipal;
  readonly requestId: string;
}

type OperatorActor = Extract<AuditActor, { readonly operator: unknown }>;

/** Who acts, when and by which request, as the audit log has it. */
export type ByOperator = Pick<AuditEntry, "at" | "requestId"> & OperatorActor;

/** The audit row's fields for who did it, when and by which request. */
export function byOperator(
  { principal: { operatorId: id, name }, requestId }: Omit<OperatorRequest, "db">,
  at: Date,
): ByOperator {
  return { at, operator: { id, name }, requestId };
}
