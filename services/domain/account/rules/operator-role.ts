/** The roles of operators, each of which includes those before it (docs/contract/desk-api.md, Roles). */
export const OPERATOR_ROLES = ["viewer", "reviewer", "lead", "admin"] as const;

export type OperatorRole = (typeof OPERATOR_ROLES)[number];

/** Whether a role is `least` or includes it. */
export function includesRole(role: OperatorRole, least: OperatorRole): boolean {
  return OPERATOR_ROLES.indexOf(role) >= OPERATOR_ROLES.indexOf(least);
}
