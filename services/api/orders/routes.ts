import { z } from "zod";
import { NUMBER_TYPES } from "../../domain/countries/number-type.ts";
import {
  countryCodeParameter,
  phoneNumberParameter,
} from "../../domain/number/answers/number-fields.ts";
import { orderAnswer } from "../../domain/order/answers/order-answer.ts";
import { ORDER_STATUSES } from "../../domain/order/rules/order.ts";
import { readDueTimes } from "../../domain/order/store/read-order.ts";
import { readinessAnswer } from "../../domain/requirement/answers/requirement-answer.ts";
import { whyWithDesk } from "../../domain/order/rules/desk-owned.ts";
import { readinessOf } from "../../domain/requirement/rules/readiness.ts";
import { allowedFocWindows, earliestFoc } from "../../domain/terms/rules/port-date.ts";
import { termsOfOrder } from "../../domain/terms/rules/terms-of-order.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { instant, textUpTo, uuid } from "../../platform/http/body/fields.ts";
import { pageOf, pageQuery, rangeFrom, type FilterParameters } from "../../platform/http/paging.ts";
import { listOf } from "../../platform/http/routing/answer-fields.ts";
import { noContent, ok } from "../../platform/http/routing/reply.ts";
import { inSlices } from "../../platform/in-slices.ts";
import { DELETE, GET, POST, turnsOf, type CustomerRoute } from "../access/customer-routes.ts";
import type { ApiDeps } from "../api-deps.ts";
import {
  focWindowsAnswer,
  includeParameter,
  listedOrderAnswer,
  presentListedOrder,
} from "./answers.ts";
import { cancelBody, MAX_AHEAD_DAYS, MAX_CARRIER, MAX_REFERENCE } from "./body.ts";
import {
  endOfChecks,
  inTurnOf,
  ownDateFault,
  ownOrder,
  PATH,
  runCommand,
  showOrder,
  submitCommand,
} from "./own-order.ts";
import { hasOrder, listOrders, type OrderFilter } from "./store/list-orders.ts";
import { changeOrderRoute, createOrdersRoute } from "./write-routes.ts";

/** The filters of the list of orders; a value that no order can have is refused. */
const orderFilters = {
  status: z.array(z.enum(ORDER_STATUSES)).optional().describe("Orders in any of these statuses"),
  customer_reference: textUpTo(MAX_REFERENCE)
    .optional()
    .meta({ description: "Orders with exactly this reference", examples: ["first port"] }),
  phone_number: phoneNumberParameter("Orders with this number, in E.164").optional(),
  batch_id: uuid().optional().describe("Orders of one request"),
  country_code: countryCodeParameter("Orders for numbers of this country").optional(),
  number_type: z.enum(NUMBER_TYPES).optional().describe("Orders for numbers of this type"),
  losing_carrier: textUpTo(MAX_CARRIER, z.string().trim().min(1))
    .optional()
    .meta({
      description: "Orders from this carrier, by its whole name in any case",
      examples: ["Verizon"],
    }),
  foc_after: instant().optional().describe("Orders whose foc_actual is at or after this time"),
  foc_before: instant().optional().describe("Orders whose foc_actual is before this time"),
} satisfies FilterParameters<OrderFilter>;

const orderListQuery = z.strictObject({
  ...pageQuery,
  ...orderFilters,
  include: includeParameter,
});

type OrderListQuery = z.output<typeof orderListQuery>;

/** An order's requirements may have 20 kB as JSON: a page of so many has less than 1 MiB. */
const MOST_COMPLETE = 50;
/** Other requests have their turn after so many orders of a list were put together. */
const SLICE = 4;

/** `/v2/porting_orders`: create, list, read, and the customer's commands. */
export function portingOrderRoutes(deps: ApiDeps): CustomerRoute[] {
  return [
    createOrdersRoute(deps),
    listRoute(deps),
    readRoute(deps),
    readinessRoute(deps),
    focWindowsRoute(deps),
    changeOrderRoute(deps),
    deleteRoute(deps),
    cancelRoute(deps),
    submitRoute(deps),
  ];
}

function listRoute({ reads, heavy, expirySpans }: ApiDeps): CustomerRoute {
  return GET(PATH, "List the orders", {
    description:
      "The account's orders. A page ends after 5,000 numbers, or after 50 orders if it includes their requirements, even if it has fewer orders than `limit`.",
    answers: { 200: listOf(listedOrderAnswer) },
    query: orderListQuery,
    // A page with parts has up to 5,000 numbers, or 50 orders' requirements.
    inSlot: ({ principal, query: { include } }, run) =>
      include === undefined ? run() : heavy.run(turnsOf(principal), run),
    handle: async (request) => {
      const { query } = request;
      const { accountId } = request.principal;
      const { include, ...filter } = query;
      const readPage = async (db: Queryable) => {
        const range = await rangeFrom(query, (id) => hasOrder(db, accountId, id));
        const isComplete = include?.has("requirements") === true;
        const fetch = isComplete ? Math.min(range.fetch, MOST_COMPLETE + 1) : range.fetch;
        const found = await listOrders(db, { accountId, range: { ...range, fetch }, filter });
        return { ...found, due: await readDueTimes(db, found.rows, expirySpans) };
      };
      const { rows, hasMore, due } = looksForOne(query)
        ? await readPage(request.db)
        : await reads.run(readPage, (replica) => hasCursor(replica, accountId, query));
      const shown = await inSlices(rows, SLICE, (order) => presentListedOrder(order, due, include));
      return pageOf(request, { rows: shown, hasMore });
    },
  });
}

/** Whether the client may ask for what it has just sent, such as after a creation whose answer was lost. */
function looksForOne({ phone_number, customer_reference, batch_id }: OrderListQuery): boolean {
  return (phone_number ?? customer_reference ?? batch_id) !== undefined;
}

/** Whether a replica has the order that a page begins at. */
async function hasCursor(
  replica: Queryable,
  accountId: string,
  { starting_after: after, ending_before: before }: OrderListQuery,
): Promise<boolean> {
  const cursor = after ?? before;
  return cursor === undefined || hasOrder(replica, accountId, cursor);
}

function readRoute(deps: ApiDeps): CustomerRoute {
  return GET(`${PATH}/:id`, "Read an order", {
    description: "An order with its requirements, numbers and open exceptions.",
    answers: { 200: orderAnswer },
    find: ownOrder,
    inSlot: inTurnOf(deps),
    handle: async (request) => showOrder(deps, request, await ownOrder(request)),
  });
}

function readinessRoute(deps: ApiDeps): CustomerRoute {
  return GET(`${PATH}/:id/readiness`, "Read what blocks an order from being submitted", {
    description:
      "Lists the mandatory requirements that have no value, are in exception, or whose document is still being checked; and, as `foc_requested`, a port date that is not possible any more; `detail` says where the porting desk settles a rejection itself.",
    answers: { 200: readinessAnswer },
    find: ownOrder,
    inSlot: inTurnOf(deps),
    handle: async (request) => {
      const order = await ownOrder(request);
      const { ready, blocking } = readinessOf(
        order,
        deps.bus.clock.now(),
        ownDateFault(deps, order),
      );
      const detail = whyWithDesk(order);
      return ok({ ready: ready && detail === null, blocking, detail });
    },
  });
}

const DAY_MS = 86_400_000;
/** Of a month there are at most two a day. */
const WINDOW_DAYS = 31;

function focWindowsRoute(deps: ApiDeps): CustomerRoute {
  return GET(`${PATH}/:id/allowed_foc_windows`, "List when an order's numbers can be moved", {
    operationId: "listAllowedFocWindows",
    description: `The windows in which \`foc_requested\` is accepted, were the order sent now: by the terms of its country, kind, numbers and provider. At most ${WINDOW_DAYS} days at once, up to ${MAX_AHEAD_DAYS} days ahead.`,
    answers: { 200: focWindowsAnswer },
    query: z.strictObject({
      from: instant()
        .optional()
        .describe("The first moment; the earliest possible one unless given"),
      until: instant()
        .optional()
        .describe(`The last moment; ${WINDOW_DAYS} days after the first unless given`),
    }),
    find: ownOrder,
    inSlot: inTurnOf(deps),
    handle: async (request) => {
      const order = await ownOrder(request);
      const now = deps.bus.clock.now();
      const terms = termsOfOrder(deps.terms, order);
      const first = request.query.from ?? new Date(earliestFoc(terms, now) ?? now);
      const from = new Date(Math.max(now.getTime(), first.getTime()));
      const most = Math.min(
        from.getTime() + WINDOW_DAYS * DAY_MS,
        now.getTime() + MAX_AHEAD_DAYS * DAY_MS,
      );
      const until = new Date(Math.min(most, request.query.until?.getTime() ?? most));
      const data = terms === null ? [] : allowedFocWindows(terms, { now, from, until });
      return ok({ data, has_more: false });
    },
  });
}

function deleteRoute(deps: ApiDeps): CustomerRoute {
  return DELETE(`${PATH}/:id`, "Delete a draft that was never submitted", {
    description: "The order is 404 afterwards; its events and deliveries stay.",
    answers: { 204: null },
    refuses: ["invalid_state"],
    find: ownOrder,
    handle: async (request) => {
      await runCommand(deps, request, { command: "delete", by: "customer" });
      return noContent();
    },
  });
}

function cancelRoute(deps: ApiDeps): CustomerRoute {
  return POST(`${PATH}/:id/cancel`, "Cancel an order", {
    description:
      "A draft ends at once; an order that the losing carrier has becomes cancel_pending until the carrier confirms. Too late when the port date is near, or the numbers are being moved.",
    answers: { 200: orderAnswer },
    refuses: ["invalid_state", "cancel_too_late"],
    find: ownOrder,
    body: cancelBody,
    inSlot: inTurnOf(deps),
    handle: (request) => {
      const { reason = null } = request.body;
      const cutoffMs = deps.cancelCutoffMs;
      return runCommand(deps, request, { command: "cancel", by: "customer", reason, cutoffMs });
    },
  });
}

function submitRoute(deps: ApiDeps): CustomerRoute {
  return POST(`${PATH}/:id/submit`, "Submit an order for review", {
    description:
      "From draft or rejection, once readiness is true; where nothing but checks of documents is left, the answer waits for them, 10 s at most. A `foc_requested` that is not possible any more, such as one that came too near, is 422 `foc_not_possible`. The porting desk then reviews every value before the losing carrier sees anything.",
    answers: { 200: orderAnswer },
    refuses: ["invalid_state", "not_ready", "validation_failed"],
    find: ownOrder,
    inSlot: async (request, run) => {
      await endOfChecks(async () => [await ownOrder(request)], deps.bus.clock);
      return inTurnOf(deps)(request, run);
    },
    handle: (request) => runCommand(deps, request, submitCommand(deps)),
  });
}
