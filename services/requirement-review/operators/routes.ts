import { z } from "zod";
import { idText } from "../../platform/http/routing/answer-fields.ts";
import { ok } from "../../platform/http/routing/reply.ts";
import { routesFor } from "../../platform/http/routing/route.ts";
import type { Route } from "../../platform/http/routing/route.ts";
import type { OperatorPrincipal } from "../access/operator.ts";

const defineRoute = routesFor<OperatorPrincipal>();

/** `/desk/v1/me`: who I am. */
export function meRoutes(): Route<OperatorPrincipal>[] {
  return [
    defineRoute({
      method: "GET",
      path: "/desk/v1/me",
      access: "operator",
      doc: {
        summary: "Read who I am",
        answers: {
          "200": z.object({ id: idText(), name: z.string().meta({ examples: ["Ada"] }) }),
        },
      },
      handle: ({ principal }) => ok({ id: principal.operatorId, name: principal.name }),
    }),
  ];
}
