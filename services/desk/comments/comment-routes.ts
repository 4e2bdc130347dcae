import { z } from "zod";
import { commentAnswer } from "../../domain/order/answers/order-note-answer.ts";
import {
  hasComment,
  presentComment,
  type Commented,
  type CommentRow,
} from "../../domain/order/store/comments.ts";
import { writtenText } from "../../platform/http/body/fields.ts";
import { pageOf, pageQuery, rangeFrom } from "../../platform/http/paging.ts";
import { listOf } from "../../platform/http/routing/answer-fields.ts";
import { created } from "../../platform/http/routing/reply.ts";
import { newId } from "../../platform/ids.ts";
import { reviewer, viewer, type DeskPath, type DeskRoute } from "../access/desk-routes.ts";
import type { DeskDeps } from "../desk-deps.ts";
import { deskCommentAnswer } from "../orders/answers.ts";
import { listDeskComments } from "../orders/store/find-orders.ts";

interface CommentedPath extends Pick<Commented, "subject"> {
  readonly path: "/desk/v1/orders/:id" | "/desk/v1/port_outs/:id";
  readonly noun: string;
  /** How the customer gets a comment. */
  readonly told: string;
  readonly find: (request: Pick<DeskPath, "db" | "params">) => Promise<Pick<Commented, "id">>;
  readonly write: (request: DeskPath, comment: CommentRow) => Promise<unknown>;
}

/** The comments on what the path identifies, listed and written. */
export function commentRoutes(
  { bus }: Pick<DeskDeps, "bus">,
  { path, subject, noun, told, find, write }: CommentedPath,
): DeskRoute[] {
  return [
    viewer.GET(`${path}/comments`, `List ${noun}'s comments`, {
      description: "All comments, also internal ones, with the operators who wrote them.",
      answers: { 200: listOf(deskCommentAnswer) },
      find,
      query: z.strictObject(pageQuery),
      handle: async (request) => {
        const { db, query } = request;
        const { id } = await find(request);
        const shown = { subject, id, audience: "desk" } as const;
        const range = await rangeFrom(query, (cursor) => hasComment(db, shown, cursor));
        return pageOf(request, await listDeskComments(db, { subject, id, range }));
      },
    }),
    reviewer.POST(`${path}/comments`, `Comment on ${noun} to its customer`, {
      description: told,
      answers: { 201: commentAnswer },
      find,
      body: z.strictObject({
        body: writtenText(4_000).meta({
          description: "The comment, which the customer reads",
          examples: ["The carrier asks for the invoice of this month."],
        }),
      }),
      handle: async (request) => {
        const { principal, params, body } = request;
        const now = bus.clock.now();
        const author = { author_type: "ops", author_id: principal.operatorId } as const;
        const comment = { id: newId(now), ...author, body: body.body, created_at: now };
        await write(request, comment);
        return created(presentComment(comment), `${path.replace(":id", params.id)}/comments`);
      },
    }),
  ];
}
