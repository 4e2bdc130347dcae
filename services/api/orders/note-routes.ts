import { z } from "zod";
import {
  commentAnswer,
  timelineEntryAnswer,
} from "../../domain/order/answers/order-note-answer.ts";
import { listOf } from "../../platform/http/routing/answer-fields.ts";
import {
  hasComment,
  listComments,
  presentComment,
  requireCommentRoom,
} from "../../domain/order/store/comments.ts";
import { commandOrder } from "../../domain/order/store/order-commands.ts";
import {
  hasTimelineEntry,
  listTimeline,
  presentToCustomer,
} from "../../domain/order/store/timeline.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { textUpTo } from "../../platform/http/body/fields.ts";
import { pageOf, pageQuery, rangeFrom } from "../../platform/http/paging.ts";
import { created } from "../../platform/http/routing/reply.ts";
import { newId } from "../../platform/ids.ts";
import type { ApiDeps } from "../api-deps.ts";
import { ownOrder } from "./own-order.ts";
import { customerActor, GET, POST, type CustomerRoute } from "../access/customer-routes.ts";

const PATH = "/v2/porting_orders/:id";

/** An order's comments and timeline. */
export function orderNoteRoutes(deps: ApiDeps): CustomerRoute[] {
  return [...commentRoutes(deps), timelineRoute()];
}

function commentRoutes({ bus }: ApiDeps): CustomerRoute[] {
  return [
    GET(`${PATH}/comments`, "List an order's comments", {
      description: "Comments of the customer, the porting desk, the carrier and the service.",
      answers: { 200: listOf(commentAnswer) },
      find: ownOrder,
      query: z.strictObject(pageQuery),
      handle: async (request) => {
        const { db, query } = request;
        const order = await ownOrder(request);
        const range = await rangeFrom(query, (id) => hasComment(db, order.id, id));
        const list = { orderId: order.id, audience: "customer", range } as const;
        const { rows, hasMore } = await listComments(db, list);
        return pageOf(request, { rows: rows.map(presentComment), hasMore });
      },
    }),
    POST(`${PATH}/comments`, "Comment on an order", {
      description: "The porting desk reads it; it fires no webhook.",
      answers: { 201: commentAnswer },
      refuses: ["quota_exceeded"],
      find: ownOrder,
      body: z
        .strictObject({
          body: textUpTo(4_000, z.string().min(1)).meta({
            description: "The comment, 1 to 4,000 characters",
            examples: ["The invoice is from last month."],
          }),
        })
        .meta({ examples: [{ body: "The invoice is from last month." }] }),
      handle: async ({ db, principal, params: { id: orderId }, body }) => {
        const now = bus.clock.now();
        const actor = customerActor(principal);
        const author = { author_type: "customer", author_id: actor.id } as const;
        const comment = { id: newId(now), ...author, body: body.body };
        const address = { accountId: principal.accountId, orderId };
        const command = { command: "comment", comment } as const;
        const also = (tx: Queryable) => requireCommentRoom(tx, orderId);
        await commandOrder({ ...bus, db }, address, { command, actor, now, also });
        return created(
          presentComment({ ...comment, created_at: now }),
          `/v2/porting_orders/${orderId}/comments`,
        );
      },
    }),
  ];
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
