import { z } from "zod";
import {
  portOutAnswer,
  rejectionCodesAnswer,
  portOutRejection,
  presentPortOut,
} from "../../domain/port-out/answers/port-out-answer.ts";
import { phoneNumberParameter } from "../../domain/number/answers/number-fields.ts";
import { listOf } from "../../platform/http/routing/answer-fields.ts";
import type { ApiDeps } from "../api-deps.ts";
import { commentRoutes } from "../orders/note-routes.ts";
import { GET, POST, type CustomerPath, type CustomerRoute } from "../access/customer-routes.ts";
import { commentPortOut } from "../../domain/port-out/store/comment-port-out.ts";
import { commandPortOut } from "../../domain/port-out/store/port-out-commands.ts";
import {
  findPortOut,
  listPortOuts,
  readRejectionCodes,
  type PortOutFilter,
} from "../../domain/port-out/store/read-port-out.ts";
import type { PortOutCommand } from "../../domain/port-out/rules/decide-port-out.ts";
import { withRequesters } from "../../domain/port-out/store/read-requesters.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import type { SecretBox } from "../../platform/secret-box.ts";
import { PORT_OUT_STATUSES, type PortOut } from "../../domain/port-out/rules/port-out.ts";
import { writtenText } from "../../platform/http/body/fields.ts";
import { pageOf, pageQuery, rangeFrom, type FilterParameters } from "../../platform/http/paging.ts";
import { ok } from "../../platform/http/routing/reply.ts";

const PATH = "/v2/port_outs";

/** Deadlines are the desk's to look for. */
const portOutFilters = {
  status: z
    .array(z.enum(PORT_OUT_STATUSES))
    .optional()
    .describe("Port-outs in any of these statuses"),
  phone_number: phoneNumberParameter("Port-outs of this number, in E.164").optional(),
} satisfies FilterParameters<Omit<PortOutFilter, "account_id" | "deadline_before">>;

/** Other carriers' requests for the account's numbers, and the customer's decisions on them. */
export function portOutRoutes(deps: ApiDeps): CustomerRoute[] {
  return [...readRoutes(deps), ...decisionRoutes(deps), ...portOutCommentRoutes(deps)];
}

function portOutCommentRoutes(deps: ApiDeps): CustomerRoute[] {
  return commentRoutes(deps, {
    path: `${PATH}/:id`,
    subject: "port_out",
    noun: "a port-out",
    text: writtenText(4_000),
    find: ownPortOut,
    write: ({ db, principal: { accountId }, params: { id } }, comment) =>
      commentPortOut(db, { id, accountId }, comment),
  });
}

function ownPortOut({ db, principal, params: { id } }: CustomerPath): Promise<PortOut> {
  return findPortOut(db, principal.accountId, id);
}

function readRoutes({ bus, box }: ApiDeps): CustomerRoute[] {
  return [
    GET(PATH, "List the port-outs", {
      description: "Requests of other carriers for the account's numbers.",
      answers: { 200: listOf(portOutAnswer) },
      query: z.strictObject({ ...pageQuery, ...portOutFilters }),
      handle: async (request) => {
        const { db, principal, query } = request;
        const { accountId } = principal;
        const range = await rangeFrom(query, (id) => findPortOut(db, accountId, id));
        const list = { accountId, range, filter: query };
        const { rows, hasMore } = await listPortOuts(db, list);
        const shown = await withRequesters({ db, box }, rows);
        return pageOf(request, { rows: shown.map(presentPortOut), hasMore });
      },
    }),
    GET(`${PATH}/:id`, "Read a port-out", {
      description: "A port-out with its decision, and the deadline of one that is due.",
      answers: { 200: portOutAnswer },
      find: ownPortOut,
      handle: async (request) => showOne({ ...request, box }, await ownPortOut(request)),
    }),
    GET(`${PATH}/:id/rejection_codes`, "List the codes for rejecting a port-out", {
      operationId: "listPortOutRejectionCodes",
      description: "Every code; one that is not allowed is refused as `code_not_eligible`.",
      answers: { 200: rejectionCodesAnswer },
      find: ownPortOut,
      handle: async (request) => {
        const portOut = await ownPortOut(request);
        const data = await readRejectionCodes(request.db, portOut, bus.clock.now());
        return ok({ data, has_more: false });
      },
    }),
  ];
}

async function showOne(from: { readonly db: Queryable; readonly box: SecretBox }, one: PortOut) {
  const [shown] = await withRequesters(from, [one]);
  return ok(shown === undefined ? shown : presentPortOut(shown));
}

/** Applies the customer's decision and returns the changed port-out. */
async function decide({ bus, box }: ApiDeps, request: CustomerPath, command: PortOutCommand) {
  const { db, principal, params } = request;
  const address = { id: params.id, accountId: principal.accountId };
  const given = { command, now: bus.clock.now() };
  return showOne({ db, box }, await commandPortOut({ ...bus, db }, address, given));
}

function decisionRoutes(deps: ApiDeps): CustomerRoute[] {
  return [
    POST(`${PATH}/:id/approve`, "Approve a port-out", {
      description: "While a decision is required; without one it goes ahead at its deadline.",
      answers: { 200: portOutAnswer },
      refuses: ["invalid_state"],
      find: ownPortOut,
      handle: (request) => decide(deps, request, { command: "approve", by: "customer" }),
    }),
    POST(`${PATH}/:id/reject`, "Reject a port-out", {
      description:
        "While a decision is required, with a code that the numbers allow (`rejection_codes`). The gaining carrier receives it.",
      answers: { 200: portOutAnswer },
      refuses: ["invalid_state"],
      find: ownPortOut,
      body: portOutRejection,
      handle: (request) => {
        const { code, reason = null } = request.body;
        return decide(deps, request, { command: "reject", by: "customer", code, reason });
      },
    }),
  ];
}
