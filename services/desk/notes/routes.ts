import { z } from "zod";
import { writeAudit } from "../../domain/account/store/audit-log.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { writtenText } from "../../platform/http/body/fields.ts";
import { created } from "../../platform/http/routing/reply.ts";
import { newId } from "../../platform/ids.ts";
import { byOperator, reviewer, type DeskRoute } from "../access/desk-routes.ts";
import type { DeskDeps } from "../desk-deps.ts";
import { requireAnyOrder } from "../orders/store/find-orders.ts";
import { noteAnswer } from "../orders/answers.ts";
import { insertNote } from "./store.ts";

const noteBody = z.strictObject({
  body: writtenText(4_000).describe("The note's text; only the desk ever sees it"),
});

const ORDERS = "/desk/v1/orders";

/** Internal notes on orders: they change nothing of the order, and its customer never sees them. */
export function noteRoutes({ bus }: Pick<DeskDeps, "bus">): DeskRoute[] {
  return [
    reviewer.POST(`${ORDERS}/:id/notes`, "Write an internal note on an order", {
      description: "Only the desk sees it, in the order's case and in the desk's timeline.",
      operationId: "createOrderNote",
      answers: { 201: noteAnswer },
      find: ({ db, params }) => requireAnyOrder(db, params.id),
      body: noteBody,
      handle: async (request) => {
        const now = bus.clock.now();
        const { operatorId: id, name } = request.principal;
        const { body } = request.body;
        const note = { id: newId(now), body, author: { id, name }, created_at: now };
        await inTransaction(request.db, async (tx) => {
          const accountId = await insertNote(tx, { ...note, order_id: request.params.id });
          await writeAudit(tx, {
            ...byOperator(request, now),
            action: "order.noted",
            accountId,
            portingOrderId: request.params.id,
            after: { note: { id: note.id, body } },
          });
        });
        return created(note, `${ORDERS}/${request.params.id}/timeline`);
      },
    }),
  ];
}
