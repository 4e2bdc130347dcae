import { z } from "zod";
import { timelineEntryAnswer } from "../../domain/order/answers/order-note-answer.ts";
import { listOf } from "../../platform/http/routing/answer-fields.ts";
import { requireCommentRoom } from "../../domain/order/store/comments.ts";
import { commandOrder } from "../../domain/order/store/order-commands.ts";
import {
  hasTimelineEntry,
  listTimeline,
  presentToCustomer,
} from "../../domain/order/store/timeline.ts";
import { textUpTo } from "../../platform/http/body/fields.ts";
import { pageOf, pageQuery, rangeFrom } from "../../platform/http/paging.ts";
import type { ApiDeps } from "../api-deps.ts";
import { ownOrder } from "./own-order.ts";
import { customerActor, GET, type CustomerRoute } from "../access/customer-routes.ts";
import { commentRoutes } from "../comments/comment-routes.ts";

const PATH = "/v2/porting_orders/:id";

/** An order's comments and timeline. */
export function orderNoteRoutes(deps: ApiDeps): CustomerRoute[] {
  return [...orderCommentRoutes(deps), timelineRoute()];
}

function orderCommentRoutes(deps: ApiDeps): CustomerRoute[] {
  return commentRoutes(deps, {
    path: PATH,
    subject: "order",
    noun: "an order",
    authors: "the customer, the porting desk, the carrier and the service",
    text: textUpTo(4_000, z.string().min(1)),
    find: ownOrder,
    write: ({ db, principal, params: { id } }, { created_at: now, ...comment }) =>
      commandOrder(
        { ...deps.bus, db },
        { accountId: principal.accountId, orderId: id },
        {
          command: { command: "comment", comment },
          actor: customerActor(principal),
          now,
          also: (tx) => requireCommentRoom(tx, { subject: "order", id }),
        },
      ),
  });
}

function timelineRoute(): CustomerRoute {
  return GET(`${PATH}/timeline`, "List the timeline of an order", {
    operationId: "listPortingOrderTimeline",
    description: "Everything that happened to the order, and who did it.",
    answers: { 200: listOf(timelineEntryAnswer) },
    find: ownOrder,
    query: z.strictObject(pageQuery),
    handle: async (request) => {
      const { db, query } = request;
      const order = await ownOrder(request);
      const shown = { orderId: order.id, audience: "customer" } as const;
      const range = await rangeFrom(query, (id) => hasTimelineEntry(db, { ...shown, id }));
      const { rows, hasMore } = await listTimeline(db, { ...shown, range });
      return pageOf(request, { rows: rows.map(presentToCustomer), hasMore });
    },
  });
}
