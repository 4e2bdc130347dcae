import { z } from "zod";
import { portOutAnswer } from "../../domain/port-out/answers/port-out-answer.ts";
import { listOf } from "../../platform/http/routing/answer-fields.ts";
import type { ApiDeps } from "../api-deps.ts";
import { GET, POST, type CustomerRoute } from "../access/customer-routes.ts";
import { portOutRejection } from "../../domain/port-out/answers/port-out-body.ts";
import { commandPortOut } from "../../domain/port-out/store/port-out-commands.ts";
import { findPortOut, listPortOuts } from "../../domain/port-out/store/read-port-out.ts";
import { PORT_OUT_STATUSES } from "../../domain/port-out/rules/port-out.ts";
import { presentPortOut } from "../../domain/port-out/answers/present-port-out.ts";
import { idRange } from "../../platform/db/id-range.ts";
import { isFound, page, pageQuery, scanFrom } from "../../platform/http/paging/paging.ts";
import { ok } from "../../platform/http/routing/reply.ts";

const PATH = "/v2/port_outs";

const listQuery = z.strictObject({
  ...pageQuery,
  status: z.array(z.enum(PORT_OUT_STATUSES)).optional(),
  phone_number: z.string().optional(),
});

/** Other carriers' requests for the account's numbers, and what the customer says to them. */
export function portOutRoutes({ bus }: Pick<ApiDeps, "bus">): CustomerRoute[] {
  return [...readRoutes({ bus }), ...decisionRoutes({ bus })];
}

function readRoutes({ bus }: Pick<ApiDeps, "bus">): CustomerRoute[] {
  return [
    GET(PATH, "List the port-outs", {
      answers: { 200: listOf(portOutAnswer) },
      query: listQuery,
      handle: async (request) => {
        const { principal, query } = request;
        const { accountId } = principal;
        const scan = await scanFrom(query, (id) => isFound(findPortOut(bus.pool, accountId, id)));
        const range = idRange(scan, query);
        const rows = await listPortOuts(bus.pool, { accountId, range, filter: query });
        return page(request, { rows, id: (portOut) => portOut.id, present: presentPortOut });
      },
    }),
    GET(`${PATH}/:id`, "Read a port-out", {
      answers: { 200: portOutAnswer },
      handle: async ({ principal, params: { id } }) =>
        ok(presentPortOut(await findPortOut(bus.pool, principal.accountId, id))),
    }),
  ];
}

function decisionRoutes({ bus }: Pick<ApiDeps, "bus">): CustomerRoute[] {
  return [
    POST(`${PATH}/:id/approve`, "Let numbers go", {
      answers: { 200: portOutAnswer },
      refuses: ["invalid_state"],
      handle: async ({ principal: { accountId }, params: { id } }) => {
        const command = { command: "approve", by: "customer" } as const;
        const given = { command, now: bus.clock.now() };
        return ok(presentPortOut(await commandPortOut(bus, { id, accountId }, given)));
      },
    }),
    POST(`${PATH}/:id/reject`, "Refuse to let numbers go", {
      answers: { 200: portOutAnswer },
      refuses: ["invalid_state"],
      find: ({ principal, params: { id } }) => findPortOut(bus.pool, principal.accountId, id),
      body: portOutRejection,
      handle: async ({ principal: { accountId }, params: { id }, body }) => {
        const { code, reason = null } = body;
        const command = { command: "reject", by: "customer", code, reason } as const;
        const given = { command, now: bus.clock.now() };
        return ok(presentPortOut(await commandPortOut(bus, { id, accountId }, given)));
      },
    }),
  ];
}
