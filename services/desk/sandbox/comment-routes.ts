import { z } from "zod";
import { writeAudit } from "../../domain/account/store/audit-log.ts";
import { findUnreadableUpdate } from "../../domain/carrier/rules/carrier-faults.ts";
import { lockAnyOrder } from "../../domain/order/store/read-order.ts";
import type { RouteBus } from "../../messages/bus/bus.ts";
import { outgoing } from "../../messages/bus/outgoing.ts";
import { inTransaction, type Queryable } from "../../platform/db/transaction.ts";
import { idText } from "../../platform/http/routing/answer-fields.ts";
import { AppError } from "../../platform/errors.ts";
import { textUpTo } from "../../platform/http/body/fields.ts";
import { accepted } from "../../platform/http/routing/reply.ts";
import { newIds } from "../../platform/ids.ts";
import { writeOutbox } from "../../platform/outbox/outbox.ts";
import type { DeskDeps } from "../desk-deps.ts";
import { byOperator } from "../access/operator.ts";
import { lead, type DeskRoute } from "../access/desk-routes.ts";
import { requireAnyOrder } from "../orders/store/desk-orders.ts";

const PROVIDER = "sandbox";

/** Sends a note of the sandbox carrier on one of its orders, on the topic that real carriers use. */
export function sandboxCommentRoutes({ bus }: DeskDeps): DeskRoute[] {
  return [
    lead.POST("/desk/v1/sandbox/orders/:id/comment", "Simulate a carrier's note on an order", {
      description:
        "As an update of kind `comment` from the sandbox carrier; the customer gets it as `porting_order.new_comment`.",
      answers: {
        202: z.object({ update_id: idText("The id of the update, which its receipt names") }),
      },
      refuses: ["invalid_state"],
      find: ({ db, params }) => requireAnyOrder(db, params.id),
      body: z.strictObject({
        body: textUpTo(4_000, z.string().min(1)).meta({
          description: "The carrier's note, which the customer reads",
          examples: ["The invoice is under another name."],
        }),
      }),
      handle: async (request) => {
        const { db, params, body } = request;
        const now = bus.clock.now();
        const updateId = await inTransaction(db, async (tx) => {
          const order = await commentable(tx, params.id);
          const sent = await publishNote(bus, tx, { order, comment: body.body, now });
          await writeAudit(tx, {
            ...byOperator(request, now),
            action: "sandbox_order.comment",
            accountId: order.account_id,
            portingOrderId: order.id,
            after: { body: body.body },
          });
          return sent;
        });
        return accepted({ update_id: updateId });
      },
    }),
  ];
}

async function commentable(tx: Queryable, orderId: string) {
  const order = await lockAnyOrder(tx, orderId);
  if (order.provider !== PROVIDER || order.request_version === 0) {
    throw new AppError("invalid_state", "The order was not sent to the sandbox carrier.");
  }
  return order;
}

interface Note {
  readonly order: Awaited<ReturnType<typeof commentable>>;
  readonly comment: string;
  readonly now: Date;
}

async function publishNote(
  bus: RouteBus,
  tx: Queryable,
  { order, comment, now }: Note,
): Promise<string> {
  const [updateId = "", messageId = ""] = newIds(now, 2);
  const update = {
    update_id: updateId,
    provider: PROVIDER,
    order_id: order.id,
    request_version: order.request_version,
    occurred_at: now.getTime(),
    raw_status: "NOTE",
    kind: "comment" as const,
    foc_at: null,
    rejection: null,
    phone_numbers: null,
    comment,
  };
  const fault = findUnreadableUpdate(update);
  if (fault !== null) {
    throw new AppError("validation_failed", fault.detail, {
      faults: [{ ...fault, pointer: "#/body" }],
    });
  }
  const address = { key: order.id, messageId };
  await writeOutbox(tx, [outgoing(bus, "carriers.updates", { ...address, message: update })]);
  return updateId;
}
