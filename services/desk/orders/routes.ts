import { z } from "zod";
import { writeAudit } from "../../domain/account/store/audit-log.ts";
import { commentAnswer } from "../../domain/order/answers/order-note-answer.ts";
import type { OrderCommand } from "../../domain/order/rules/decide.ts";
import { EXCEPTION_CATALOGUE } from "../../domain/order/rules/exception-catalogue.ts";
import type { Order } from "../../domain/order/rules/order.ts";
import {
  hasComment,
  presentComment,
  type Commented,
  type CommentRow,
} from "../../domain/order/store/comments.ts";
import { commandAnyOrder } from "../../domain/order/store/order-commands.ts";
import {
  hasTimelineEntry,
  listTimeline,
  presentTimelineEntry,
} from "../../domain/order/store/timeline.ts";
import type { RouteBus } from "../../messages/bus/bus.ts";
import { AppError } from "../../platform/errors.ts";
import { optionalOrNull, writtenText } from "../../platform/http/body/fields.ts";
import { pageOf, pageQuery, rangeFrom } from "../../platform/http/paging.ts";
import { listOf } from "../../platform/http/routing/answer-fields.ts";
import { created, ok } from "../../platform/http/routing/reply.ts";
import { newId } from "../../platform/ids.ts";
import {
  byOperator,
  lead,
  reviewer,
  viewer,
  type DeskPath,
  type DeskRoute,
} from "../access/desk-routes.ts";
import type { DeskDeps } from "../desk-deps.ts";
import { nameActors } from "../operators/name-operators.ts";
import { deskCommentAnswer, deskOrderAnswer, deskTimelineEntryAnswer } from "./answers.ts";
import { orderListRoutes } from "./order-list.ts";
import { presentDeskOrder, showOrders, type ShowDeps } from "./show-orders.ts";
import { findAnyOrder, listDeskComments, requireAnyOrder } from "./store/find-orders.ts";
import { splitRoute } from "./split-routes.ts";
import { findUnknownSlug } from "./unknown-slug.ts";
import { orderMessageRoutes } from "./trace-routes.ts";

/** The orders of all accounts: found by any filter, read whole, with their timeline. */
function orderReadRoutes(desk: ShowDeps): DeskRoute[] {
  return [...orderListRoutes(desk), readRoute(desk), timelineRoute()];
}

function readRoute(desk: ShowDeps): DeskRoute {
  return viewer.GET(`${PATH}/:id`, "Read an order", {
    description: "Any account's order, whole: sensitive values are masked.",
    answers: { 200: deskOrderAnswer },
    find: ({ db, params }) => requireAnyOrder(db, params.id),
    handle: async ({ db, params: { id } }) => {
      const order = await findAnyOrder(db, id);
      const [shown] = await showOrders({ ...desk, db }, [order], presentDeskOrder);
      return ok(shown);
    },
  });
}

function timelineRoute(): DeskRoute {
  return viewer.GET(`${PATH}/:id/timeline`, "Read an order's timeline", {
    description: "Everything that happened to the order, also what customers are not shown.",
    answers: { 200: listOf(deskTimelineEntryAnswer) },
    find: ({ db, params }) => requireAnyOrder(db, params.id),
    query: z.strictObject(pageQuery),
    handle: async (request) => {
      const { db, query } = request;
      const { id: orderId } = await requireAnyOrder(db, request.params.id);
      const shown = { orderId, audience: "desk" } as const;
      const range = await rangeFrom(query, (id) => hasTimelineEntry(db, { ...shown, id }));
      const { rows, hasMore } = await listTimeline(db, { ...shown, range });
      const named = await nameActors(db, rows);
      return pageOf(request, { rows: named.map(presentTimelineEntry), hasMore });
    },
  });
}

const PATH = "/desk/v1/orders";
/** What a customer can be asked to correct. */
const CUSTOMERS_CODES = EXCEPTION_CATALOGUE.filter(({ owner }) => owner === "customer").map(
  ({ code }) => code,
);

/** The orders of all accounts: read, comment, close. */
export function orderRoutes(desk: DeskDeps): DeskRoute[] {
  return [
    ...orderReadRoutes(desk),
    ...orderMessageRoutes(desk),
    ...orderCommentRoutes(desk),
    resubmitRoute(desk),
    handOverRoute(desk),
    splitRoute(desk),
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

function orderCommentRoutes({ bus }: DeskDeps): DeskRoute[] {
  return commentRoutes(bus, {
    path: `${PATH}/:id`,
    subject: "order",
    noun: "an order",
    told: "The customer gets it as `porting_order.new_comment` from the ops team, without the operator's name.",
    find: ({ db, params }) => requireAnyOrder(db, params.id),
    write: (request, { created_at: now, ...comment }) => {
      const command = { command: "comment", comment } as const;
      const note = { comment: { id: comment.id, body: comment.body } };
      return run(bus, request, { command, now, action: "order.commented", note });
    },
  });
}

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
  bus: RouteBus,
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

/** Runs an operator's command, and answers with the order. */
async function runAndShow(desk: DeskDeps, request: DeskPath, given: Omit<OperatorAction, "now">) {
  const order = await run(desk.bus, request, { ...given, now: desk.bus.clock.now() });
  const [shown] = await showOrders({ ...desk, db: request.db }, [order], presentDeskOrder);
  return ok(shown);
}

function resubmitRoute(desk: DeskDeps): DeskRoute {
  return reviewer.POST(`${PATH}/:id/resubmit`, "Submit an order again that waits for the desk", {
    description:
      "For an order that its carrier rejected for what the desk owns, once that is settled: a case is opened, whose confirmation sends the order to the carrier again.",
    answers: { 200: deskOrderAnswer },
    refuses: ["invalid_state", "not_ready"],
    find: ({ db, params }) => requireAnyOrder(db, params.id),
    body: z.strictObject({
      note: writtenText(4_000).describe("What was settled, for colleagues: in the timeline"),
    }),
    handle: (request) => {
      const { note } = request.body;
      const command = { command: "resubmit", note } as const;
      return runAndShow(desk, request, { command, action: "order.resubmitted", note: { note } });
    },
  });
}

function handOverRoute(desk: DeskDeps): DeskRoute {
  return reviewer.POST(`${PATH}/:id/hand_over`, "Hand an order over to its customer", {
    description:
      "For an order that its carrier rejected for what the desk owns, where the customer has to correct something after all. From then on the rejection expires.",
    answers: { 200: deskOrderAnswer },
    refuses: ["invalid_state"],
    find: ({ db, params }) => requireAnyOrder(db, params.id),
    body: z.strictObject({
      code: z.enum(CUSTOMERS_CODES).describe("A code of /v2/porting_exceptions that customers own"),
      slug: optionalOrNull(writtenText(64)).describe("The requirement to correct, if any"),
      reason: writtenText(1_000).describe("What the customer has to do"),
    }),
    handle: async (request) => {
      const { code, slug = null, reason } = request.body;
      const order = await findAnyOrder(request.db, request.params.id);
      const fault = findUnknownSlug(order, slug, "slug");
      if (fault !== null) {
        throw new AppError("validation_failed", fault.detail, { faults: [fault] });
      }
      const author = { author_type: "ops", author_id: request.principal.operatorId } as const;
      const comment = { id: newId(desk.bus.clock.now()), ...author, body: reason };
      const command = { command: "hand_over", code, slug, comment } as const;
      const note = { code, slug, reason };
      return runAndShow(desk, request, { command, action: "order.handed_over", note });
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
    handle: (request) => {
      const { reason, ...internal } = request.body;
      const { internal_reason: internalReason } = internal;
      const cancel = { by: "ops", reason, internalReason, cutoffMs: 0 } as const;
      const command = { command: "cancel", ...cancel } as const;
      const note = { reason, ...internal };
      return runAndShow(desk, request, { command, action: "order.closed", note });
    },
  });
}
