import { z } from "zod";
import { platformNumberAnswer } from "../../domain/number/number-answer.ts";
import { listOf } from "../../platform/answer-fields.ts";
import type { ApiDeps } from "../api-deps.ts";
import type { AccountPrincipal } from "../principal.ts";
import { findNumber, listNumbers } from "../../domain/number/number-store.ts";
import { keyset, page, pageQuery, unknownCursor } from "../../platform/http/paging.ts";
import { ok } from "../../platform/http/reply.ts";
import type { Route } from "../../platform/http/route.ts";
import { routesFor } from "../../platform/http/route.ts";

/** The account's numbers on the platform; the phone number itself is a number's id. */
export function numberRoutes({ bus }: Pick<ApiDeps, "bus">): Route<AccountPrincipal>[] {
  const defineRoute = routesFor<AccountPrincipal>();
  const e164 = z.string().regex(/^\+[1-9]\d{6,14}$/);
  return [
    defineRoute({
      method: "GET",
      path: "/v2/numbers",
      access: "account",
      doc: {
        summary: "List the numbers on the platform",
        answers: { "200": listOf(platformNumberAnswer) },
      },
      query: z.strictObject({
        ...pageQuery,
        starting_after: e164.optional(),
        ending_before: e164.optional(),
      }),
      handle: async (request) => {
        const { principal, query } = request;
        const scan = keyset(query);
        if (scan.cursorId !== null) {
          await findNumber(bus.pool, principal.accountId, scan.cursorId).catch(() => {
            throw unknownCursor(query);
          });
        }
        const rows = await listNumbers(bus.pool, principal.accountId, scan, query);
        return page(request, {
          rows,
          id: (number) => encodeURIComponent(number.phone_number),
          present: (number) => number,
        });
      },
    }),
    defineRoute({
      method: "GET",
      path: "/v2/numbers/:phone_number",
      access: "account",
      doc: { summary: "Read a number", answers: { "200": platformNumberAnswer } },
      params: z.strictObject({ phone_number: e164 }),
      handle: async ({ principal, params }) =>
        ok(await findNumber(bus.pool, principal.accountId, params.phone_number)),
    }),
  ];
}
