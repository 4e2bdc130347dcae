import { z } from "zod";
import { writeAudit } from "../../domain/account/store/audit-log.ts";
import { phoneNumberParameter } from "../../domain/number/answers/number-fields.ts";
import {
  portOutRejection,
  presentPortOut,
  rejectionCodesAnswer,
} from "../../domain/port-out/answers/port-out-answer.ts";
import type { PortOutCommand } from "../../domain/port-out/rules/decide-port-out.ts";
import { PORT_OUT_STATUSES } from "../../domain/port-out/rules/port-out.ts";
import { commentPortOut } from "../../domain/port-out/store/comment-port-out.ts";
import { commandPortOut } from "../../domain/port-out/store/port-out-commands.ts";
import {
  countAnyPortOuts,
  countPortOutsByDeadline,
  findAnyPortOut,
  findDeskPortOut,
  listAnyPortOuts,
  listPortOutsByDeadline,
  readRejectionCodes,
  type DeskPortOut,
  type PortOutFilter,
} from "../../domain/port-out/store/read-port-out.ts";
import { withRequesters } from "../../domain/port-out/store/read-requesters.ts";
import type { RouteBus } from "../../messages/bus/bus.ts";
import { countedRange } from "../../platform/db/count-rows.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import type { SecretBox } from "../../platform/secret-box.ts";
import { instant, uuid } from "../../platform/http/body/fields.ts";
import {
  pageOf,
  pageQuery,
  rangeFrom,
  scanFrom,
  type FilterParameters,
  type PageQuery,
} from "../../platform/http/paging.ts";
import { ok } from "../../platform/http/routing/reply.ts";
import {
  byOperator,
  lead,
  viewer,
  type DeskPath,
  type DeskRoute,
  type OperatorRequest,
} from "../access/desk-routes.ts";
import { readAccountNames } from "../accounts/store.ts";
import { commentRoutes } from "../orders/routes.ts";
import type { DeskDeps } from "../desk-deps.ts";
import { exportRoute } from "../lists/export-route.ts";
import { countedListOf, ordered, orderQuery, totalQuery, withTotal } from "../lists/list-query.ts";
import { deskPortOutAnswer } from "./answers.ts";
import { enteredRoutes } from "./enter-port-out.ts";

const PATH = "/desk/v1/port_outs";

const portOutFilters = {
  status: z.array(z.enum(PORT_OUT_STATUSES)).optional().describe("Port-outs in any of these"),
  phone_number: phoneNumberParameter("Port-outs of this number, in E.164").optional(),
  account_id: uuid().optional().describe("Port-outs of this account's numbers"),
  deadline_before: instant().optional().describe("Those decided by themselves before this time"),
} satisfies FilterParameters<PortOutFilter>;

const listQuery = z.strictObject({
  ...pageQuery,
  ...portOutFilters,
  ...orderQuery("deadline", "Those that await a decision, by deadline"),
  ...totalQuery,
});

/** The port-outs of all accounts: read, and decide on the customer's behalf. */
export function portOutRoutes({ bus, box }: DeskDeps): DeskRoute[] {
  return [
    ...readRoutes(bus, box),
    ...decisionRoutes(bus, box),
    ...portOutCommentRoutes(bus),
    ...enteredRoutes(bus),
  ];
}

/** One without an account has no customer to read them. */
function portOutCommentRoutes(bus: RouteBus): DeskRoute[] {
  return commentRoutes(bus, {
    path: `${PATH}/:id`,
    subject: "port_out",
    noun: "a port-out",
    told: "The customer reads it in the port-out, without the operator's name; it fires no webhook.",
    find: ({ db, params }) => findAnyPortOut(db, params.id),
    write: (request, comment) => {
      const { id: port_out_id } = request.params;
      const { id, body, created_at: now } = comment;
      const address = { id: port_out_id, accountId: null };
      return commentPortOut(request.db, address, comment, (tx, { account_id: accountId }) =>
        writeAudit(tx, {
          ...byOperator(request, now),
          action: "port_out.commented",
          accountId,
          after: { port_out_id, comment: { id, body } },
        }),
      );
    },
  });
}

function readRoutes(bus: RouteBus, box: SecretBox): DeskRoute[] {
  const read = async ({ db }: Pick<OperatorRequest, "db">, given: z.output<typeof listQuery>) => {
    const query = ordered(given);
    const { rows, hasMore } =
      query.order_by === undefined
        ? await listAnyPortOuts(db, {
            range: await rangeFrom(query, (id) => findDeskPortOut(db, id)),
            filter: query,
          })
        : await listUrgent(db, query);
    return { rows: await showPortOuts({ db, box }, rows), hasMore };
  };
  return [
    viewer.GET(PATH, "List the port-outs of all accounts", {
      description:
        "Newest first. With `order_by=deadline` those that await a decision, the most urgent first. Requests for numbers that no account has, which are refused, are among them.",
      answers: { 200: countedListOf(deskPortOutAnswer) },
      query: listQuery,
      handle: async (request) => {
        const { db, query } = request;
        const range = countedRange(query);
        return withTotal(request, pageOf(request, await read(request, query)), () =>
          query.order_by === undefined
            ? countAnyPortOuts(db, { range, filter: query })
            : countPortOutsByDeadline(db, { scan: { ...range, cursorId: null }, filter: query }),
        );
      },
    }),
    exportRoute(PATH, { name: "port-outs", answer: deskPortOutAnswer, query: listQuery, read }),
    viewer.GET(`${PATH}/:id`, "Read a port-out", {
      description: "Any port-out of the list, with the provider that asked and its reference.",
      answers: { 200: deskPortOutAnswer },
      find: ({ db, params }) => findDeskPortOut(db, params.id),
      handle: async ({ db, params: { id } }) => showOne({ db, box }, await findDeskPortOut(db, id)),
    }),
    viewer.GET(`${PATH}/:id/rejection_codes`, "List the codes for rejecting a port-out", {
      description: "Every code; one that is not allowed is refused as `code_not_eligible`.",
      answers: { 200: rejectionCodesAnswer },
      find: ({ db, params }) => findAnyPortOut(db, params.id),
      handle: async ({ db, params: { id } }) => {
        const portOut = await findAnyPortOut(db, id);
        const data = await readRejectionCodes(db, portOut, bus.clock.now());
        return ok({ data, has_more: false });
      },
    }),
  ];
}

type Ordered = z.output<typeof listQuery> & Pick<PageQuery, "order">;

/** A cursor that has been decided meanwhile has no place among the deadlines any more. */
async function listUrgent(db: Queryable, query: Ordered) {
  const scan = await scanFrom(query, async (id) => {
    const { decision_deadline: deadline } = await findAnyPortOut(db, id);
    return deadline !== null;
  });
  return listPortOutsByDeadline(db, { scan, filter: query });
}

interface ShownFrom {
  readonly db: Queryable;
  readonly box: SecretBox;
}

async function showOne(from: ShownFrom, portOut: DeskPortOut) {
  const [shown] = await showPortOuts(from, [portOut]);
  return ok(shown);
}

type OpsDecision = Extract<PortOutCommand, { readonly command: "approve" | "reject" }>;
const ACTIONS = { approve: "port_out.approved", reject: "port_out.rejected" } as const;

/** Applies an operator's decision and writes its audit row. */
async function decide(
  { bus, box }: Pick<DeskDeps, "bus" | "box">,
  request: DeskPath,
  command: OpsDecision,
) {
  const { db } = request;
  const now = bus.clock.now();
  const address = { id: request.params.id, accountId: null };
  const portOut = await commandPortOut({ ...bus, db }, address, {
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
  return showOne({ db, box }, portOut);
}

function decisionRoutes(bus: RouteBus, box: SecretBox): DeskRoute[] {
  const parts = { bus, box };
  return [
    lead.POST(`${PATH}/:id/approve`, "Approve a port-out for its customer", {
      description:
        "The decision is the desk's (`by` is `ops`), and is sent to the provider that asked. Only while it awaits a decision.",
      answers: { 200: deskPortOutAnswer },
      refuses: ["invalid_state"],
      find: ({ db, params }) => findAnyPortOut(db, params.id),
      handle: (request) => decide(parts, request, { command: "approve", by: "ops" }),
    }),
    lead.POST(`${PATH}/:id/reject`, "Reject a port-out for its customer", {
      description:
        "The decision is the desk's (`by` is `ops`), and is sent with its code to the provider that asked. Only while it awaits a decision.",
      answers: { 200: deskPortOutAnswer },
      refuses: ["invalid_state"],
      find: ({ db, params }) => findAnyPortOut(db, params.id),
      body: portOutRejection,
      handle: (request) => {
        const { code, reason = null } = request.body;
        return decide(parts, request, { command: "reject", by: "ops", code, reason });
      },
    }),
  ];
}

/** Port-outs as the desk sees them; the names of their accounts are one statement. */
async function showPortOuts({ db, box }: ShownFrom, found: readonly DeskPortOut[]) {
  const portOuts = await withRequesters({ db, box }, found);
  const names = await readAccountNames(
    db,
    portOuts.map((one) => one.account_id).filter((id) => id !== null),
  );
  return portOuts.map((portOut) => {
    const { account_id, provider, port_out_ref, unanswered_comment_at } = portOut;
    const account =
      account_id === null ? null : { id: account_id, name: names.get(account_id) ?? "" };
    return {
      ...presentPortOut(portOut),
      ...{ account_id, account, provider, port_out_ref, unanswered_comment_at },
    };
  });
}
