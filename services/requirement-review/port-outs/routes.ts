import { z } from "zod";
import { listOf } from "../../platform/http/routing/answer-fields.ts";
import { deskPortOutAnswer, presentForDesk } from "./answers.ts";
import { writeAudit } from "../../domain/account/store/audit-log.ts";
import type { PortOutCommand } from "../../domain/port-out/rules/decide-port-out.ts";
import { portOutRejection } from "../../domain/port-out/answers/port-out-body.ts";
import { commandPortOut } from "../../domain/port-out/store/port-out-commands.ts";
import { findAnyPortOut, listAnyPortOuts } from "../../domain/port-out/store/read-port-out.ts";
import { PORT_OUT_STATUSES } from "../../domain/port-out/rules/port-out.ts";
import { phoneNumberParameter } from "../../domain/number/answers/phone-number-field.ts";
import type { Bus } from "../../messages/bus/bus.ts";
import { uuid } from "../../platform/http/body/fields.ts";
import { page, pageQuery, rangeFrom } from "../../platform/http/paging/paging.ts";
import { ok } from "../../platform/http/routing/reply.ts";
import type { DeskDeps } from "../desk-deps.ts";
import { byOperator } from "../access/operator.ts";
import { GET, POST, type DeskPath, type DeskRoute } from "../access/desk-routes.ts";

const PATH = "/desk/v1/port_outs";

const listQuery = z.strictObject({
  ...pageQuery,
  status: z.array(z.enum(PORT_OUT_STATUSES)).optional(),
  phone_number: phoneNumberParameter("Port-outs of this number, in E.164").optional(),
  account_id: uuid().optional(),
});

/** The port-outs of all accounts: read, and decide on the customer's behalf. */
export function portOutRoutes({ bus }: DeskDeps): DeskRoute[] {
  return [...readRoutes(bus), ...decisionRoutes(bus)];
}

function readRoutes(bus: Bus): DeskRoute[] {
  return [
    GET(PATH, "List the port-outs of all accounts", {
      answers: { 200: listOf(deskPortOutAnswer) },
      query: listQuery,
      handle: async (request) => {
        const { query } = request;
        const range = await rangeFrom(query, (id) => findAnyPortOut(bus.pool, id));
        const rows = await listAnyPortOuts(bus.pool, { range, filter: query });
        return page(request, rows.map(presentForDesk));
      },
    }),
    GET(`${PATH}/:id`, "Read a port-out", {
      answers: { 200: deskPortOutAnswer },
      handle: async ({ params: { id } }) => ok(presentForDesk(await findAnyPortOut(bus.pool, id))),
    }),
  ];
}

type OpsDecision = Extract<PortOutCommand, { readonly command: "approve" | "reject" }>;
const ACTIONS = { approve: "port_out.approved", reject: "port_out.rejected" } as const;

/** Applies an operator's decision and writes its audit row. */
async function decide(bus: Bus, request: DeskPath, command: OpsDecision) {
  const now = bus.clock.now();
  const address = { id: request.params.id, accountId: null };
  const portOut = await commandPortOut(bus, address, {
    command,
    now,
    also: (tx, before, { id: port_out_id, status, account_id: accountId, decision }) => {
      const { code = null, reason = null } = decision ?? {};
      return writeAudit(tx, {
        ...byOperator(request, now),
        action: ACTIONS[command.command],
        accountId,
        before: { port_out_id, status: before.status },
        after: { port_out_id, status, code, reason },
      });
    },
  });
  return ok(presentForDesk(portOut));
}

function decisionRoutes(bus: Bus): DeskRoute[] {
  return [
    POST(`${PATH}/:id/approve`, "Approve a port-out for its customer", {
      answers: { 200: deskPortOutAnswer },
      refuses: ["invalid_state"],
      handle: (request) => decide(bus, request, { command: "approve", by: "ops" }),
    }),
    POST(`${PATH}/:id/reject`, "Reject a port-out for its customer", {
      answers: { 200: deskPortOutAnswer },
      refuses: ["invalid_state"],
      body: portOutRejection,
      handle: (request) => {
        const { code, reason = null } = request.body;
        return decide(bus, request, { command: "reject", by: "ops", code, reason });
      },
    }),
  ];
}
