import { OPERATOR_ROLES, includesRole } from "../../domain/account/rules/operator-role.ts";
import { AppError } from "../../platform/errors.ts";
import type { DeskRoute } from "./desk-routes.ts";
import type { OperatorPrincipal } from "./operator.ts";

/** @throws `forbidden` where the operator's role does not include the one that the route needs */
export function requireRole({ role }: OperatorPrincipal, route: DeskRoute | null): void {
  const least = OPERATOR_ROLES.find((one) => one === route?.role);
  if (least === undefined || includesRole(role, least)) return;
  throw new AppError("forbidden", `This needs the role ${least}; yours is ${role}.`);
}
