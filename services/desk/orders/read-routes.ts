import { z } from "zod";
import {
  countryCodeParameter,
  phoneNumberParameter,
} from "../../domain/number/answers/number-fields.ts";
import { ORDER_STATUSES } from "../../domain/order/rules/order.ts";
import {
  hasTimelineEntry,
  listTimeline,
  presentTimelineEntry,
} from "../../domain/order/store/timeline.ts";
import { instant, textUpTo, uuid, writtenText } from "../../platform/http/body/fields.ts";
import {
  page,
  pageOf,
  pageQuery,
  rangeFrom,
  type FilterParameters,
} from "../../platform/http/paging.ts";
import { listOf } from "../../platform/http/routing/answer-fields.ts";
import { ok } from "../../platform/http/routing/reply.ts";
import { viewer, type DeskRoute } from "../access/desk-routes.ts";
import { deskTimelineEntryAnswer } from "../notes/answers.ts";
import { deskCommentAnswer, deskOrderAnswer, orderSummaryAnswer } from "./answers.ts";
import { nameActors } from "./name-actors.ts";
import { presentDeskOrder, presentOrderSummary } from "./present-desk-order.ts";
import { readSearchTerm } from "./search-term.ts";
import { showOrders, type ShowDeps } from "./show-orders.ts";
import { hasDeskComment, listDeskComments } from "./store/desk-comments.ts";
import { findAnyOrder, requireAnyOrder } from "./store/desk-orders.ts";
import { listAnyOrders } from "./store/list-orders.ts";
import type { DeskOrderFilter } from "./store/order-filter.ts";

const text = () => textUpTo(128, z.string().min(1));

const search = writtenText(128)
  .optional()
  .meta({
    description:
      "A number in any form or its last 4 or more digits, a whole reference in any case, the id of an order or an account, or part of an account's name",
    examples: ["0123"],
  });

/** The filters of the desk's list of orders, beside the search. */
const orderFilters = {
  id: uuid().optional().describe("The order with this id"),
  account_id: uuid().optional().describe("Orders of this account"),
  batch_id: uuid().optional().describe("Orders of one request"),
  status: z.array(z.enum(ORDER_STATUSES)).optional().describe("Orders in any of these statuses"),
  provider: text()
    .optional()
    .meta({ description: "Orders of this provider", examples: ["manual"] }),
  losing_carrier: textUpTo(128, z.string().trim().min(1))
    .optional()
    .meta({
      description: "Orders from this carrier, by its whole name in any case",
      examples: ["Verizon"],
    }),
  country_code: countryCodeParameter("Orders for numbers of this country").optional(),
  customer_reference: text()
    .optional()
    .meta({ description: "Orders with exactly this reference", examples: ["first port"] }),
  phone_number: phoneNumberParameter("Orders with this number, in E.164").optional(),
  attention: z
    .enum(["true", "false"])
    .transform((given) => given === "true")
    .optional()
    .meta({
      description: "Orders that the desk has to look at, or those that it need not",
    }),
  foc_after: instant().optional().describe("Orders whose foc_actual is at or after this time"),
  foc_before: instant().optional().describe("Orders whose foc_actual is before this time"),
} satisfies FilterParameters<Omit<DeskOrderFilter, "search">>;

const orderListQuery = z.strictObject({ ...pageQuery, q: search, ...orderFilters });

export type OrderListQuery = z.output<typeof orderListQuery>;

const PATH = "/desk/v1/orders";

/** The orders of all accounts: found by any filter, read whole, with their timeline and comments. */
export function orderReadRoutes(desk: ShowDeps): DeskRoute[] {
  return [listRoute(desk), readRoute(desk), timelineRoute(), commentsRoute()];
}

function listRoute(desk: ShowDeps): DeskRoute {
  const { clock } = desk.bus;
  return viewer.GET(PATH, "List the orders of all accounts", {
    description: "Summaries, newest first; filters that are combined must all match.",
    answers: { 200: listOf(orderSummaryAnswer) },
    query: orderListQuery,
    handle: async (request) => {
      const { db } = request;
      const { q, ...filter } = request.query;
      const range = await rangeFrom(request.query, (id) => requireAnyOrder(db, id));
      const search = q === undefined ? undefined : readSearchTerm(q);
      const found = { range, filter: { ...filter, search }, now: clock.now() };
      const orders = await listAnyOrders(db, found);
      return page(request, await showOrders({ ...desk, db }, orders, presentOrderSummary));
    },
  });
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

function commentsRoute(): DeskRoute {
  return viewer.GET(`${PATH}/:id/comments`, "List an order's comments", {
    description: "All comments, also internal ones, with the operators who wrote them.",
    answers: { 200: listOf(deskCommentAnswer) },
    find: ({ db, params }) => requireAnyOrder(db, params.id),
    query: z.strictObject(pageQuery),
    handle: async (request) => {
      const { db, query } = request;
      const { id: orderId } = await requireAnyOrder(db, request.params.id);
      const range = await rangeFrom(query, (id) => hasDeskComment(db, orderId, id));
      return pageOf(request, await listDeskComments(db, { orderId, range }));
    },
  });
}
