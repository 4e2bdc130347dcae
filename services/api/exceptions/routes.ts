import { exceptionCodeAnswer } from "../../domain/order/answers/order-note-answer.ts";
import { listOf } from "../../platform/http/routing/answer-fields.ts";
import { EXCEPTION_CATALOGUE } from "../../domain/order/rules/exception-catalogue.ts";
import { ok } from "../../platform/http/routing/reply.ts";
import { routesFor } from "../../platform/http/routing/route.ts";
import type { Route } from "../../platform/http/routing/route.ts";
import type { AccountPrincipal } from "../access/principal.ts";

const defineRoute = routesFor<AccountPrincipal>();

/** `/v2/porting_exceptions`: every canonical code that an order's exceptions may have. */
export function portingExceptionRoutes(): Route<AccountPrincipal>[] {
  const data = EXCEPTION_CATALOGUE.map(({ code, title, detail, slugs, owner }) => {
    return { code, title, detail, slug: slugs[0] ?? null, owner };
  });
  return [
    defineRoute({
      method: "GET",
      path: "/v2/porting_exceptions",
      access: "account",
      doc: { summary: "List the exception codes", answers: { "200": listOf(exceptionCodeAnswer) } },
      handle: () => ok({ data, has_more: false }),
    }),
  ];
}
