import type { AuditActor, AuditEntry } from "../../domain/account/rules/audit-entry.ts";
import type { OperatorRole } from "../../domain/account/rules/operator-role.ts";
import type { Database } from "../../platform/db/transaction.ts";
import { routesFor, type Route } from "../../platform/http/routing/route.ts";

/** An operator's session, as a request by its cookie has it. */
export interface OwnSession {
  readonly id: string;
  /** What the header `Desk-CSRF` must hold. */
  readonly csrf: string;
}

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

export type DeskRoute = Route<OperatorPrincipal>;

/** An operator's request with an id in its path. */
export interface DeskPath extends OperatorRequest {
  readonly params: { readonly id: string };
}

function routesOf(role: OperatorRole) {
  return routesFor<OperatorPrincipal, "operator">("operator", { role });
}

/** Routes by the least role that they need: `lead.POST(path, …)`. */
export const viewer = routesOf("viewer");
export const reviewer = routesOf("reviewer");
export const lead = routesOf("lead");
export const admin = routesOf("admin");
