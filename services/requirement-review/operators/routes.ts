import { z } from "zod";
import { OPERATOR_ROLES } from "../../domain/account/rules/operator-role.ts";
import { idText } from "../../platform/http/routing/answer-fields.ts";
import { ok } from "../../platform/http/routing/reply.ts";
import { viewer, type DeskRoute } from "../access/desk-routes.ts";

/** `/desk/v1/me`: the operator of the token. */
export function meRoutes(): DeskRoute[] {
  return [
    viewer.GET("/desk/v1/me", "Read the operator of the token", {
      answers: {
        200: z.object({
          id: idText(),
          name: z.string().meta({ examples: ["Ada"] }),
          role: z.enum(OPERATOR_ROLES),
        }),
      },
      handle: ({ principal }) =>
        ok({ id: principal.operatorId, name: principal.name, role: principal.role }),
    }),
  ];
}
