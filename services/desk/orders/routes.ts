import { z } from "zod";
import { commentAnswer } from "../../domain/order/answers/order-note-answer.ts";
import { writeAudit } from "../../domain/account/store/audit-log.ts";
import { presentComment } from "../../domain/order/store/comments.ts";
import type { OrderCommand } from "../../domain/order/rules/decide.ts";
import { commandAnyOrder } from "../../domain/order/store/order-commands.ts";
import type { Order } from "../../domain/order/rules/order.ts";
import type { RouteBus } from "../../messages/bus/bus.ts";
import { optionalOrNull, writtenText } from "../../platform/http/body/fields.ts";
import { created, ok } from "../../platform/http/routing/reply.ts";
import { newId } from "../../platform/ids.ts";
import type { DeskDeps } from "../desk-deps.ts";
import { byOperator } from "../access/operator.ts";
import { lead, reviewer, type DeskPath, type DeskRoute } from "../access/desk-routes.ts";
import { deskOrderAnswer } from "./answers.ts";
import { orderMessageRoutes } from "./message-routes.ts";
import { presentDeskOrder } from "./present-desk-order.ts";
import { orderReadRoutes } from "./read-routes.ts";
import { showOrders } from "./show-orders.ts";
import { requireAnyOrder } from "./store/desk-orders.ts";

const PATH = "/desk/v1/orders";

/** The orders of all accounts: read, comment, close. */
export function orderRoutes(desk: DeskDeps): DeskRoute[] {
  return [
    ...orderReadRoutes(desk),
    ...orderMessageRoutes(desk),
    commentRoute(desk),
    closeRoute(desk),
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
  bus: RouteBus,
  request: DeskPath,
  { command, now, action, note }: OperatorAction,
): Promise<Order> {
  const { operatorId: id, name } = request.principal;
  return commandAnyOrder({ ...bus, db: request.db }, request.params.id, {
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

function commentRoute({ bus }: DeskDeps): DeskRoute {
  return reviewer.POST(`${PATH}/:id/comments`, "Comment on an order to its customer", {
    description:
      "The customer gets it as `porting_order.new_comment` from the ops team, without the operator's name.",
    answers: { 201: commentAnswer },
    find: ({ db, params }) => requireAnyOrder(db, params.id),
    body: z.strictObject({
      body: writtenText(4_000).meta({
        description: "The comment, which the customer reads",
        examples: ["The carrier asks for the invoice of this month."],
      }),
    }),
    handle: async (request) => {
      const now = bus.clock.now();
      const author = { author_type: "ops", author_id: request.principal.operatorId } as const;
      const comment = { id: newId(now), ...author, body: request.body.body };
      const command = { command: "comment", comment } as const;
      const note = { comment: { id: comment.id, body: comment.body } };
      await run(bus, request, { command, now, action: "order.commented", note });
      const location = `${PATH}/${request.params.id}/comments`;
      return created(presentComment({ ...comment, created_at: now }), location);
    },
  });
}

const closeBody = z.strictObject({
  reason: writtenText(1_000).describe("Why; the customer reads it"),
  internal_reason: optionalOrNull(writtenText(4_000)).describe(
    "Why, for the desk alone: in its timeline and the audit log",
  ),
});

function closeRoute(desk: DeskDeps): DeskRoute {
  return lead.POST(`${PATH}/:id/close`, "Close an order", {
    description:
      "An order that was sent to its carrier becomes cancel_pending until the carrier confirms; one that is cancel_pending already is cancelled at once.",
    answers: { 200: deskOrderAnswer },
    refuses: ["invalid_state", "cancel_too_late"],
    find: ({ db, params }) => requireAnyOrder(db, params.id),
    body: closeBody,
    handle: async (request) => {
      const { reason, ...internal } = request.body;
      const { internal_reason: internalReason } = internal;
      const cancel = { by: "ops", reason, internalReason, cutoffMs: 0 } as const;
      const command = { command: "cancel", ...cancel } as const;
      const note = { reason, ...internal };
      const closing = { command, now: desk.bus.clock.now(), action: "order.closed", note };
      const order = await run(desk.bus, request, closing);
      const [closed] = await showOrders({ ...desk, db: request.db }, [order], presentDeskOrder);
      return ok(closed);
    },
  });
}
