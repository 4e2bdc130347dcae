import { z } from "zod";
import { idText } from "../../platform/http/routing/answer-fields.ts";
import { ok } from "../../platform/http/routing/reply.ts";
import { GET, type DeskRoute } from "../access/desk-routes.ts";

/** `/desk/v1/me`: the operator of the token. */
export function meRoutes(): DeskRoute[] {
  return [
    GET("/desk/v1/me", "Read the operator of the token", {
      answers: {
        200: z.object({ id: idText(), name: z.string().meta({ examples: ["Ada"] }) }),
      },
      handle: ({ principal }) => ok({ id: principal.operatorId, name: principal.name }),
    }),
  ];
}
