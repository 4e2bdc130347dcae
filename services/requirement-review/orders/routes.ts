import { z } from "zod";
import { commentAnswer } from "../../domain/order/answers/order-note-answer.ts";
import { listOf } from "../../platform/http/routing/answer-fields.ts";
import { deskOrderAnswer, presentForDesk } from "./answers.ts";
import { writeAudit } from "../../domain/account/store/audit-log.ts";
import { presentComment } from "../../domain/order/store/comments.ts";
import type { OrderCommand } from "../../domain/order/rules/decide.ts";
import { findAnyOrder, listAnyOrders } from "./store/desk-orders.ts";
import { commandAnyOrder } from "../../domain/order/store/order-commands.ts";
import { ORDER_STATUSES, type Order } from "../../domain/order/rules/order.ts";
import { readDueTimes } from "../../domain/order/store/read-due-times.ts";
import {
  hasTimelineEntry,
  listTimeline,
  presentTimelineEntry,
} from "../../domain/order/store/timeline.ts";
import { phoneNumberParameter } from "../../domain/number/answers/phone-number-field.ts";
import type { Bus } from "../../messages/bus/bus.ts";
import { uuid } from "../../platform/http/body/fields.ts";
import { page, pageQuery, rangeFrom } from "../../platform/http/paging/paging.ts";
import { created, ok } from "../../platform/http/routing/reply.ts";
import { newId } from "../../platform/ids.ts";
import { deskTimelineEntryAnswer } from "../notes/answers.ts";
import type { DeskDeps } from "../desk-deps.ts";
import { byOperator } from "../access/operator.ts";
import { lead, reviewer, viewer, type DeskPath, type DeskRoute } from "../access/desk-routes.ts";

const PATH = "/desk/v1/orders";

const listQuery = z.strictObject({
  ...pageQuery,
  id: uuid().optional(),
  account_id: uuid().optional(),
  status: z.array(z.enum(ORDER_STATUSES)).optional(),
  provider: z.string().optional(),
  customer_reference: z.string().optional(),
  phone_number: phoneNumberParameter("Orders with this number, in E.164").optional(),
});

/** The orders of all accounts: read, comment, close. */
export function orderRoutes(desk: DeskDeps): DeskRoute[] {
  return [...readRoutes(desk), ...writeRoutes(desk)];
}

async function show({ bus, expirySpans }: DeskDeps, orders: readonly Order[]) {
  const due = await readDueTimes(bus.pool, orders, expirySpans);
  return orders.map((order) => presentForDesk(order, due));
}

function readRoutes(desk: DeskDeps): DeskRoute[] {
  const { bus } = desk;
  return [
    viewer.GET(PATH, "List the orders of all accounts", {
      answers: { 200: listOf(deskOrderAnswer) },
      query: listQuery,
      handle: async (request) => {
        const { query } = request;
        const range = await rangeFrom(query, (id) => findAnyOrder(bus.pool, id));
        const rows = await listAnyOrders(bus.pool, { range, filter: query });
        return page(request, await show(desk, rows));
      },
    }),
    viewer.GET(`${PATH}/:id`, "Read an order", {
      answers: { 200: deskOrderAnswer },
      handle: async ({ params: { id } }) => {
        const [order] = await show(desk, [await findAnyOrder(bus.pool, id)]);
        return ok(order);
      },
    }),
    viewer.GET(`${PATH}/:id/timeline`, "Read an order's timeline", {
      answers: { 200: listOf(deskTimelineEntryAnswer) },
      query: z.strictObject(pageQuery),
      handle: async (request) => {
        const { query } = request;
        const order = await findAnyOrder(bus.pool, request.params.id);
        const shown = { orderId: order.id, audience: "desk" } as const;
        const range = await rangeFrom(query, (id) => hasTimelineEntry(bus.pool, { ...shown, id }));
        const rows = await listTimeline(bus.pool, { ...shown, range });
        return page(request, rows.map(presentTimelineEntry));
      },
    }),
  ];
}

interface OperatorAction {
  readonly command: OrderCommand;
  readonly now: Date;
  readonly action: string;
  readonly note: Readonly<Record<string, unknown>>;
}

/** Runs an operator's command and writes its audit row. */
function run(
  bus: Bus,
  request: DeskPath,
  { command, now, action, note }: OperatorAction,
): Promise<Order> {
  const { operatorId: id, name } = request.principal;
  return commandAnyOrder(bus, request.params.id, {
    command,
    actor: { type: "desk", id, name },
    now,
    also: (tx, before, after) =>
      writeAudit(tx, {
        ...byOperator(request, now),
        action,
        accountId: after.account_id,
        portingOrderId: after.id,
        before: { status: before.status },
        after: { status: after.status, ...note },
      }),
  });
}

function writeRoutes(desk: DeskDeps): DeskRoute[] {
  const { bus } = desk;
  return [
    reviewer.POST(`${PATH}/:id/comments`, "Comment on an order to its customer", {
      answers: { 201: commentAnswer },
      body: z.strictObject({ body: z.string().min(1).max(4_000) }),
      handle: async (request) => {
        const now = bus.clock.now();
        const author = { author_type: "ops", author_id: request.principal.operatorId } as const;
        const comment = { id: newId(now), ...author, body: request.body.body };
        const command = { command: "comment", comment } as const;
        const note = { comment: { id: comment.id, body: comment.body } };
        await run(bus, request, { command, now, action: "order.commented", note });
        const location = `${PATH}/${request.params.id}/timeline`;
        return created(presentComment({ ...comment, created_at: now }), location);
      },
    }),
    lead.POST(`${PATH}/:id/close`, "Close an order", {
      answers: { 200: deskOrderAnswer },
      refuses: ["invalid_state", "cancel_too_late"],
      body: z.strictObject({ reason: z.string().trim().min(1).max(1_000) }),
      handle: async (request) => {
        const { reason } = request.body;
        const command = { command: "cancel", by: "ops", reason, cutoffMs: 0 } as const;
        const closing = { command, now: bus.clock.now(), action: "order.closed", note: { reason } };
        const [closed] = await show(desk, [await run(bus, request, closing)]);
        return ok(closed);
      },
    }),
  ];
}
