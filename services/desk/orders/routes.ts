import { z } from "zod";
import { writeAudit } from "../../domain/account/store/audit-log.ts";
import {
  countryCodeParameter,
  phoneNumberParameter,
} from "../../domain/number/answers/number-fields.ts";
import { presentOrder } from "../../domain/order/answers/order-answer.ts";
import { commentAnswer } from "../../domain/order/answers/order-note-answer.ts";
import type { OrderCommand } from "../../domain/order/rules/decide.ts";
import { nextActionOf, type DueTimes } from "../../domain/order/rules/next-action.ts";
import { ORDER_STATUSES, type CancelRequest, type Order } from "../../domain/order/rules/order.ts";
import { presentComment } from "../../domain/order/store/comments.ts";
import { commandAnyOrder } from "../../domain/order/store/order-commands.ts";
import { readDueTimes } from "../../domain/order/store/read-order.ts";
import {
  hasTimelineEntry,
  listTimeline,
  presentTimelineEntry,
} from "../../domain/order/store/timeline.ts";
import type { RouteBus } from "../../messages/bus/bus.ts";
import { countedRange } from "../../platform/db/count-rows.ts";
import { idRange } from "../../platform/db/id-range.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import {
  instant,
  optionalOrNull,
  textUpTo,
  uuid,
  writtenText,
} from "../../platform/http/body/fields.ts";
import {
  page,
  pageOf,
  pageQuery,
  rangeFrom,
  scanFrom,
  type FilterParameters,
} from "../../platform/http/paging.ts";
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
import { countedListOf, ordered, orderQuery, totalQuery, withTotal } from "../lists/list-query.ts";
import { nameActors } from "../operators/name-operators.ts";
import {
  deskCommentAnswer,
  deskOrderAnswer,
  deskTimelineEntryAnswer,
  orderSummaryAnswer,
  type AttentionKind,
} from "./answers.ts";
import {
  countAnyOrders,
  findAnyOrder,
  hasDeskComment,
  listAnyOrders,
  listDeskComments,
  readDeskFacts,
  readSearchTerm,
  requireAnyOrder,
  type DeskFacts,
  type DeskOrderFilter,
} from "./store/find-orders.ts";
import { orderMessageRoutes } from "./trace-routes.ts";

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

const orderListQuery = z.strictObject({
  ...pageQuery,
  ...orderQuery("foc_actual", "Those that have a `foc_actual`, by it"),
  ...totalQuery,
  q: search,
  ...orderFilters,
});

/** The orders of all accounts: found by any filter, read whole, with their timeline and comments. */
function orderReadRoutes(desk: ShowDeps): DeskRoute[] {
  return [listRoute(desk), readRoute(desk), timelineRoute(), commentsRoute()];
}

function listRoute(desk: ShowDeps): DeskRoute {
  const { clock } = desk.bus;
  return viewer.GET(PATH, "List the orders of all accounts", {
    description: "Summaries, newest first; filters that are combined must all match.",
    answers: { 200: countedListOf(orderSummaryAnswer) },
    query: orderListQuery,
    handle: async (request) => {
      const { db } = request;
      const query = ordered(request.query);
      const { q, ...given } = query;
      const isByFoc = query.order_by !== undefined;
      const scan = await scanFrom(query, async (id) =>
        isByFoc ? (await findAnyOrder(db, id)).foc_actual : requireAnyOrder(db, id),
      );
      const filter = { ...given, search: q === undefined ? undefined : readSearchTerm(q) };
      const now = clock.now();
      const range = idRange(isByFoc ? { ...scan, cursorId: null } : scan, query);
      const byFoc = isByFoc ? scan : undefined;
      const orders = await listAnyOrders(db, { range, filter, now, byFoc });
      const shown = await showOrders({ ...desk, db }, orders, presentOrderSummary);
      const all = { range: countedRange(query), filter, now };
      return withTotal(request, page({ ...request, query }, shown), () =>
        countAnyOrders(db, isByFoc ? { ...all, byFoc: { ...scan, cursorId: null } } : all),
      );
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

interface OrderAttention {
  readonly kind: AttentionKind;
  readonly reason: string;
  readonly raised_at: string;
}

/** The most pressing reason to look at the order; null if there is none. */
export function attentionOf(
  { attention }: Pick<Order, "attention">,
  { dead_letter: letter, overdue_since: overdueSince }: DeskFacts,
): OrderAttention | null {
  if (attention !== null) return { kind: "carrier", ...attention };
  if (letter !== null) {
    const { consumer, error_code: code, created_at: at } = letter;
    const reason = `${consumer} could not handle a message of the order (${code}).`;
    return { kind: "dead_letter", reason, raised_at: new Date(at).toISOString() };
  }
  if (overdueSince === null) return null;
  const reason = "The review is past its due time.";
  return { kind: "review_overdue", reason, raised_at: overdueSince.toISOString() };
}

/** What an order is shown with. */
interface Shown {
  readonly due: DueTimes;
  readonly facts: DeskFacts;
  readonly now: Date;
}

/** The whole order as the desk sees it. */
function presentDeskOrder(order: Order, { due, facts }: Shown) {
  const { account_id, provider, provider_status_at, request_version, review_attempt } = order;
  return {
    ...presentOrder(order, due),
    ...{ account_id, provider, provider_status_at, request_version, review_attempt },
    account: { id: account_id, name: facts.account_name },
    attention: attentionOf(order, facts),
    cancellation: order.cancel === null ? null : presentCancellation(order.cancel),
  };
}

function presentCancellation({ asked_by, asked_at, reason, from_status }: CancelRequest) {
  return { asked_by, asked_at, reason: reason.detail, from_status };
}

/** An order of the desk's list: with its first number, and how many there are. */
export type ListedOrder = Order & { readonly numbers_count: number };

function presentOrderSummary(order: ListedOrder, { due, facts, now }: Shown) {
  const { id, batch_id, status, provider, provider_status, country_code, number_type } = order;
  const { losing_carrier, customer_reference, numbers_count, foc_requested, foc_actual } = order;
  const { account_id, numbers, created_at, updated_at } = order;
  return {
    ...{ id, batch_id, status, provider, provider_status, country_code, number_type },
    ...{ losing_carrier, customer_reference, numbers_count, foc_requested, foc_actual },
    account: { id: account_id, name: facts.account_name },
    first_number: numbers[0]?.phone_number ?? "",
    next_action: nextActionOf(order, due, now),
    attention: attentionOf(order, facts),
    ...{ created_at, updated_at },
  };
}

type ShowDeps = Pick<DeskDeps, "bus" | "expirySpans">;

interface ShowContext extends ShowDeps {
  readonly db: Queryable;
}

/** Presents orders with what happens by itself and why the desk should look at them: two statements for all of them. */
async function showOrders<O extends Order, Answer>(
  { db, bus: { clock }, expirySpans }: ShowContext,
  orders: readonly O[],
  present: (order: O, shown: Shown) => Answer,
): Promise<Answer[]> {
  const now = clock.now();
  const ids = orders.map(({ id }) => id);
  const [due, facts] = await Promise.all([
    readDueTimes(db, orders, expirySpans),
    readDeskFacts(db, ids, now),
  ]);
  return orders.flatMap((order) => {
    const own = facts.get(order.id);
    return own === undefined ? [] : [present(order, { due, facts: own, now })];
  });
}
