import { z } from "zod";
import { NUMBER_TYPES } from "../../domain/countries/number-type.ts";
import {
  countryCodeParameter,
  phoneNumberParameter,
} from "../../domain/number/answers/number-fields.ts";
import {
  newOrdersAnswer,
  orderAnswer,
  presentOrder,
} from "../../domain/order/answers/order-answer.ts";
import type { OrderCommand } from "../../domain/order/rules/decide.ts";
import { dueTimesOfDrafts } from "../../domain/order/rules/next-action.ts";
import { ORDER_STATUSES, type Order } from "../../domain/order/rules/order.ts";
import { readConfiguration } from "../../domain/order/store/number-configuration.ts";
import { commandOrder, type CustomerCommand } from "../../domain/order/store/order-commands.ts";
import { findOrder, readDueTimes } from "../../domain/order/store/read-order.ts";
import { readinessAnswer } from "../../domain/requirement/answers/requirement-answer.ts";
import { readinessOf } from "../../domain/requirement/rules/readiness.ts";
import { allowedFocWindows, findFocFault } from "../../domain/terms/rules/port-date.ts";
import { termsOfOrder } from "../../domain/terms/rules/terms-of-order.ts";
import { AppError, type Fault } from "../../platform/errors.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { instant, optionalOrNull, textUpTo, uuid } from "../../platform/http/body/fields.ts";
import { pageOf, pageQuery, rangeFrom, type FilterParameters } from "../../platform/http/paging.ts";
import { listOf } from "../../platform/http/routing/answer-fields.ts";
import { created, noContent, ok } from "../../platform/http/routing/reply.ts";
import { inSlices } from "../../platform/in-slices.ts";
import {
  customerActor,
  DELETE,
  GET,
  PATCH,
  POST,
  turnsOf,
  type CustomerPath,
  type CustomerRoute,
} from "../access/customer-routes.ts";
import { namesMany } from "../access/request-slots.ts";
import type { ApiDeps } from "../api-deps.ts";
import {
  focWindowsAnswer,
  includeParameter,
  listedOrderAnswer,
  presentListedOrder,
} from "./answers.ts";
import {
  findSentChangeFaults,
  findSentFaults,
  findUrlRefusal,
  MAX_AHEAD_DAYS,
  MAX_CARRIER,
  MAX_REFERENCE,
  newOrderBody,
  orderRefusal,
  patchOrderBody,
  patchRefusal,
  requireFocInRange,
} from "./body.ts";
import { alsoConfigure, createConfigured, requireConfigurable } from "./configure-numbers.ts";
import { createPlanned } from "./create-planned.ts";
import { hasOrder, listOrders, type OrderFilter } from "./store/list-orders.ts";

type OwnOrder = Pick<CustomerPath, "principal" | "params">;

/** The `find` of a route under an order's path. */
export function ownOrder({ db, principal, params }: CustomerPath): Promise<Order> {
  return findOrder(db, principal.accountId, params.id);
}

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

const PATH = "/v2/porting_orders";
/** An order's requirements may have 20 kB as JSON: a page of so many has less than 1 MiB. */
const MOST_COMPLETE = 50;
/** Other requests have their turn after so many orders of a list were put together. */
const SLICE = 4;

/** `/v2/porting_orders`: create, list, read, and the customer's commands. */
export function portingOrderRoutes(deps: ApiDeps): CustomerRoute[] {
  return [
    createRoute(deps),
    listRoute(deps),
    readRoute(deps),
    readinessRoute(deps),
    focWindowsRoute(deps),
    patchRoute(deps),
    deleteRoute(deps),
    cancelRoute(deps),
    submitRoute(deps),
  ];
}

function createRoute(deps: ApiDeps): CustomerRoute {
  const { bus, heavy } = deps;
  return POST(PATH, "Create orders, one per country, number type and losing carrier", {
    description:
      "Splits 1 to 1,000 numbers into draft orders. Nothing is created if any number is refused; the problem then has a fault for each of them.",
    answers: { 201: newOrdersAnswer },
    refuses: ["number_in_active_order", "quota_exceeded", "webhook_url_blocked"],
    body: newOrderBody,
    findMoreFaults: (sent, preparing) => {
      const find = () => findSentFaults(deps, preparing, { ...sent, now: bus.clock.now() });
      return namesMany(sent.body) ? heavy.run(preparing.owner, find) : find();
    },
    inSlot: ({ principal, body }, run) =>
      namesMany(body) ? heavy.run(turnsOf(principal), run) : run(),
    prepare: async ({ db, principal, body }, preparing) => {
      const now = bus.clock.now();
      await requireFocInRange(body.foc_requested, now, () =>
        findSentFaults(deps, preparing, { db, principal, body, now }),
      );
      return findUrlRefusal(deps, preparing, body.webhook_url);
    },
    handle: async ({ db, principal, body, prepared: urlRefusal }) => {
      const actor = customerActor(principal);
      const refuse = (faults: readonly Fault[]) =>
        orderRefusal(deps, { db, principal }, { body, urlRefusal, planFaults: faults });
      if (urlRefusal !== null) throw await refuse([]);
      const { number_configuration: given } = body;
      requireConfigurable(given, body.phone_numbers, principal);
      const { accountId } = principal;
      const { made: plan, configured } = await createConfigured(deps, { db, given }, (open) =>
        createPlanned(deps, { db: open, body, actor, accountId }),
      );
      if ("faults" in plan) throw await refuse(plan.faults);
      for (const { id, numbers } of plan.orders) heavy.note(id, numbers.length);
      const due = dueTimesOfDrafts(plan.orders, deps.expirySpans);
      return created(
        {
          batch_id: plan.batchId,
          data: plan.orders.map((order) => ({
            ...presentOrder(order, due),
            number_configuration: configured.get(order.id) ?? null,
          })),
        },
        `${PATH}/${plan.orders[0]?.id ?? ""}`,
      );
    },
  });
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

/** The `inSlot` of what reads or changes one order. */
export function inTurnOf({ heavy }: ApiDeps) {
  return <T>({ principal, params }: OwnOrder, run: () => Promise<T>): Promise<T> =>
    heavy.runAbout(turnsOf(principal), params.id, run);
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
      "Lists the mandatory requirements that have no value, are in exception, or whose document is still being checked.",
    answers: { 200: readinessAnswer },
    find: ownOrder,
    inSlot: inTurnOf(deps),
    handle: async (request) => ok(readinessOf(await ownOrder(request), deps.bus.clock.now())),
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
      from: instant().optional().describe("The first moment; now unless given"),
      until: instant()
        .optional()
        .describe(`The last moment; ${WINDOW_DAYS} days after the first unless given`),
    }),
    find: ownOrder,
    inSlot: inTurnOf(deps),
    handle: async (request) => {
      const order = await ownOrder(request);
      const now = deps.bus.clock.now();
      const from = new Date(Math.max(now.getTime(), request.query.from?.getTime() ?? 0));
      const most = Math.min(
        from.getTime() + WINDOW_DAYS * DAY_MS,
        now.getTime() + MAX_AHEAD_DAYS * DAY_MS,
      );
      const until = new Date(Math.min(most, request.query.until?.getTime() ?? most));
      const terms = termsOfOrder(deps.terms, order);
      const data = terms === null ? [] : allowedFocWindows(terms, { now, from, until });
      return ok({ data, has_more: false });
    },
  });
}

/** Runs a command and returns the changed order. */
async function run(
  deps: ApiDeps,
  request: CustomerPath,
  command: OrderCommand,
  also?: CustomerCommand["also"],
) {
  const { bus } = deps;
  const { db, principal, params } = request;
  const address = { accountId: principal.accountId, orderId: params.id };
  const actor = customerActor(principal);
  const given = { command, actor, now: bus.clock.now(), ...(also && { also }) };
  return showOrder(deps, request, await commandOrder({ ...bus, db }, address, given));
}

function patchRoute(deps: ApiDeps): CustomerRoute {
  const { clock } = deps.bus;
  return PATCH(`${PATH}/:id`, "Change an order", {
    description:
      "Reference, `webhook_url` and `number_configuration` in any open status; port date and numbers in draft and rejection. At least one number stays.",
    answers: { 200: orderAnswer },
    refuses: ["invalid_state", "webhook_url_blocked"],
    find: ownOrder,
    body: patchOrderBody,
    inSlot: inTurnOf(deps),
    findMoreFaults: ({ body }, preparing) =>
      findSentChangeFaults(deps, preparing, { body, now: clock.now() }),
    prepare: async ({ body }, preparing) => {
      const now = clock.now();
      await requireFocInRange(body.foc_requested, now, () =>
        findSentChangeFaults(deps, preparing, { body, now }),
      );
      return findUrlRefusal(deps, preparing, body.webhook_url);
    },
    handle: async (request) => {
      const { body, prepared: urlRefusal } = request;
      if (urlRefusal !== null) throw patchRefusal(await ownOrder(request), body, urlRefusal);
      if (body.foc_requested != null) {
        requirePossibleDate(deps, await ownOrder(request), body.foc_requested);
      }
      const { number_configuration: given, ...patch } = body;
      const also = alsoConfigure(deps, request.principal, given);
      return run(deps, request, { command: "patch", patch }, also);
    },
  });
}

/** @throws `validation_failed` for a date at which the order's numbers cannot be moved */
export function requirePossibleDate({ terms, bus }: ApiDeps, order: Order, wanted: string): void {
  const fault = findFocFault(termsOfOrder(terms, order), wanted, bus.clock.now());
  if (fault === null) return;
  throw new AppError("validation_failed", "The order cannot be changed.", { faults: [fault] });
}

function deleteRoute(deps: ApiDeps): CustomerRoute {
  return DELETE(`${PATH}/:id`, "Delete a draft that was never submitted", {
    description: "The order is 404 afterwards; its events and deliveries stay.",
    answers: { 204: null },
    refuses: ["invalid_state"],
    find: ownOrder,
    handle: async (request) => {
      await run(deps, request, { command: "delete", by: "customer" });
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
    body: z
      .strictObject({
        reason: optionalOrNull(textUpTo(1_000)).meta({
          description: "Why, up to 1,000 characters",
          examples: ["Ordered by mistake."],
        }),
      })
      .meta({ examples: [{ reason: "Ordered by mistake." }] }),
    inSlot: inTurnOf(deps),
    handle: (request) => {
      const { reason = null } = request.body;
      const cutoffMs = deps.cancelCutoffMs;
      return run(deps, request, { command: "cancel", by: "customer", reason, cutoffMs });
    },
  });
}

function submitRoute(deps: ApiDeps): CustomerRoute {
  return POST(`${PATH}/:id/submit`, "Submit an order for review", {
    description:
      "From draft or rejection, once readiness is true. The porting desk then reviews every value before the losing carrier sees anything.",
    answers: { 200: orderAnswer },
    refuses: ["invalid_state", "not_ready"],
    find: ownOrder,
    inSlot: inTurnOf(deps),
    handle: (request) => run(deps, request, { command: "submit" }),
  });
}

/**
 * The response with one order, and when something happens by itself with it. An order's link is in the hands of an end
 * user, who is not shown where the customer's webhooks go, nor how it sets its numbers.
 */
async function showOrder(
  { expirySpans, heavy }: Pick<ApiDeps, "expirySpans" | "heavy">,
  { db, principal: { portal } }: Pick<CustomerPath, "db" | "principal">,
  order: Order,
) {
  heavy.note(order.id, order.numbers.length);
  const number_configuration = await readConfiguration(db, order.id);
  const due = await readDueTimes(db, [order], expirySpans);
  const shown = { ...presentOrder(order, due), number_configuration };
  const isEndUsers = (portal?.orderId ?? null) !== null;
  return ok(isEndUsers ? { ...shown, webhook_url: null, number_configuration: null } : shown);
}
