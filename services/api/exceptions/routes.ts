import { exceptionCodeAnswer } from "../../domain/order/answers/order-note-answer.ts";
import { listOf } from "../../platform/http/routing/answer-fields.ts";
import { EXCEPTION_CATALOGUE } from "../../domain/order/rules/exception-catalogue.ts";
import { ok } from "../../platform/http/routing/reply.ts";
import { GET, type CustomerRoute } from "../access/customer-routes.ts";

/** `/v2/porting_exceptions`: every canonical code of an order's exceptions. */
export function portingExceptionRoutes(): CustomerRoute[] {
  const data = EXCEPTION_CATALOGUE.map(({ code, title, detail, slugs, owner }) => {
    return { code, title, detail, slug: slugs[0] ?? null, owner };
  });
  return [
    GET("/v2/porting_exceptions", "List the exception codes", {
      description:
        "Every code that an order's exceptions may have, whatever carrier is behind it, in one page.",
      answers: { 200: listOf(exceptionCodeAnswer) },
      handle: () => ok({ data, has_more: false }),
    }),
  ];
}
