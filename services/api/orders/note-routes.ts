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
  type Commented,
  type CommentRow,
} from "../../domain/order/store/comments.ts";
import { commandOrder } from "../../domain/order/store/order-commands.ts";
import {
  hasTimelineEntry,
  listTimeline,
  presentToCustomer,
} from "../../domain/order/store/timeline.ts";
import { textUpTo } from "../../platform/http/body/fields.ts";
import { pageOf, pageQuery, rangeFrom } from "../../platform/http/paging.ts";
import { created } from "../../platform/http/routing/reply.ts";
import { newId } from "../../platform/ids.ts";
import type { ApiDeps } from "../api-deps.ts";
import { ownOrder } from "./own-order.ts";
import {
  customerActor,
  GET,
  POST,
  type CustomerPath,
  type CustomerRoute,
} from "../access/customer-routes.ts";

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

interface CommentedPath extends Pick<Commented, "subject"> {
  readonly path: "/v2/porting_orders/:id" | "/v2/port_outs/:id";
  readonly noun: string;
  readonly text: z.ZodString;
  readonly find: (request: CustomerPath) => Promise<Pick<Commented, "id">>;
  readonly write: (request: CustomerPath, comment: CommentRow) => Promise<unknown>;
}

/** The comments on what the path identifies, listed and written. */
export function commentRoutes(
  { bus }: Pick<ApiDeps, "bus">,
  { path, subject, noun, text, find, write }: CommentedPath,
): CustomerRoute[] {
  return [
    GET(`${path}/comments`, `List ${noun}'s comments`, {
      description:
        "Comments of the customer, the porting desk and, on an order, the carrier and the service.",
      answers: { 200: listOf(commentAnswer) },
      find,
      query: z.strictObject(pageQuery),
      handle: async (request) => {
        const { db, query } = request;
        const { id } = await find(request);
        const shown = { subject, id, audience: "customer" } as const;
        const range = await rangeFrom(query, (cursor) => hasComment(db, shown, cursor));
        const { rows, hasMore } = await listComments(db, { ...shown, range });
        return pageOf(request, { rows: rows.map(presentComment), hasMore });
      },
    }),
    POST(`${path}/comments`, `Comment on ${noun}`, {
      description: "The porting desk reads it; it fires no webhook.",
      answers: { 201: commentAnswer },
      refuses: ["quota_exceeded"],
      find,
      body: z
        .strictObject({
          body: text.meta({
            description: "The comment, 1 to 4,000 characters",
            examples: ["The invoice is from last month."],
          }),
        })
        .meta({ examples: [{ body: "The invoice is from last month." }] }),
      handle: async (request) => {
        const { principal, params, body } = request;
        const now = bus.clock.now();
        const author = { author_type: "customer", author_id: customerActor(principal).id } as const;
        const comment = { id: newId(now), ...author, body: body.body, created_at: now };
        await write(request, comment);
        return created(presentComment(comment), `${path.replace(":id", params.id)}/comments`);
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
