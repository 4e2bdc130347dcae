import { z } from "zod";
import { writeAudit } from "../../domain/account/store/audit-log.ts";
import { endWaiting } from "../../domain/order/store/comments.ts";
import { countedRange } from "../../platform/db/count-rows.ts";
import { inTransaction, type Queryable } from "../../platform/db/transaction.ts";
import { uuid } from "../../platform/http/body/fields.ts";
import { noContent, ok } from "../../platform/http/routing/reply.ts";
import { byOperator, reviewer, viewer, type DeskRoute } from "../access/desk-routes.ts";
import type { DeskDeps } from "../desk-deps.ts";
import { countAnyOrders, requireAnyOrder } from "../orders/store/find-orders.ts";
import { cachedFor } from "../providers/routes.ts";
import { alertsAnswer } from "./answers.ts";
import { listAlerts } from "./store.ts";

/** So old the count of orders may be: it is the same for everybody, and every page asks for it. */
const COUNTED_MS = 10_000;

const seenBody = z.strictObject({
  comment_id: uuid().describe("The latest comment that was read; a later one still waits"),
});

/** What concerns an operator, and that a comment needs no answer. */
export function alertRoutes({ bus: { clock }, queueCounts }: DeskDeps): DeskRoute[] {
  const countOrders = cachedFor(COUNTED_MS, clock, (db: Queryable) =>
    countAnyOrders(db, {
      filter: { attention: true },
      range: countedRange({}),
      now: clock.now(),
    }),
  );
  return [
    viewer.GET("/desk/v1/alerts", "Read what concerns the caller", {
      description:
        "Cases that the caller has claimed or was assigned, comments on the orders that the caller decided, and how much waits for anybody. Fetch it again after a hint of the stream.",
      operationId: "listDeskAlerts",
      answers: { 200: alertsAnswer },
      handle: async ({ db, principal: { operatorId } }) => {
        const now = clock.now();
        const [alerts, queue, orders] = await Promise.all([
          listAlerts(db, { operatorId, now }),
          queueCounts.of({ filter: {}, now }, operatorId),
          countOrders(db),
        ]);
        return ok({ alerts, counts: { reviews: queue.unclaimed, orders: orders.count } });
      },
    }),
    reviewer.POST("/desk/v1/orders/:id/comments/seen", "Say that a comment needs no answer", {
      description:
        "The order no longer needs attention because of its customer's comments up to this one.",
      operationId: "markOrderCommentsSeen",
      answers: { 204: null },
      find: ({ db, params }) => requireAnyOrder(db, params.id),
      body: seenBody,
      handle: async (request) => {
        const { id } = request.params;
        const { account_id: accountId } = await requireAnyOrder(request.db, id);
        const { comment_id } = request.body;
        await inTransaction(request.db, async (tx) => {
          if (!(await endWaiting(tx, id, comment_id))) return;
          const by = byOperator(request, clock.now());
          const what = { action: "order.comments_seen", accountId, portingOrderId: id };
          await writeAudit(tx, { ...by, ...what, after: { comment_id } });
        });
        return noContent();
      },
    }),
  ];
}
