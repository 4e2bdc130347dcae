import { OPERATOR_ROLES, includesRole } from "../../domain/account/rules/operator-role.ts";
import { AppError } from "../../platform/errors.ts";
import type { HttpAppOptions } from "../../platform/http/routing/http-app-options.ts";
import { requireOwnPage } from "../session/require-own-page.ts";
import { authenticateOperator, type AuthenticationDeps } from "./authenticate-operator.ts";
import type { DeskRoute } from "./desk-routes.ts";
import type { OperatorPrincipal } from "./operator.ts";
import { readOperatorCredential } from "./read-operator-credential.ts";

type DeskAccess = Pick<
  HttpAppOptions<OperatorPrincipal>,
  "readCredential" | "authenticate" | "authorize" | "describe" | "publicUrl"
>;

export interface DeskAccessDeps extends AuthenticationDeps {
  readonly publicUrl: string | undefined;
}

/** Decides who may call the desk: 401 without a valid token or session, 403 for a foreign page or too low a role. */
export function deskAccess({ publicUrl, ...deps }: DeskAccessDeps): DeskAccess {
  return {
    publicUrl,
    readCredential: readOperatorCredential,
    authenticate: (credential) => authenticateOperator(deps, credential),
    authorize: (operator, route, ctx) => {
      if (operator.session !== null) requireOwnPage(ctx, operator.session, publicUrl ?? "");
      requireRole(operator, route);
    },
    describe: (operator) => ({ operator_id: operator.operatorId }),
  };
}

/** @throws `forbidden` where the operator's role does not include the one that the route needs */
function requireRole({ role }: OperatorPrincipal, route: DeskRoute | null): void {
  const least = OPERATOR_ROLES.find((one) => one === route?.role);
  if (least === undefined || includesRole(role, least)) return;
  throw new AppError("forbidden", `This needs the role ${least}; yours is ${role}.`);
}
