import { z } from "zod";
import {
  deliveryAnswer,
  deliveryFilters,
  newDeliveriesAnswer,
} from "../../../domain/webhook/answers/delivery-answer.ts";
import {
  findDeliveries,
  findDelivery,
  hasDelivery,
  listDeliveries,
  type DeliveryFilter,
} from "../../../domain/webhook/store/deliveries.ts";
import { retryDelivery } from "../../../domain/webhook/store/retry-delivery.ts";
import { EVENT_TYPES } from "../../../messages/events.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { notFound } from "../../../platform/http/body/check-request.ts";
import { pageOf, pageQuery, rangeFrom, type PageQuery } from "../../../platform/http/paging.ts";
import { listOf } from "../../../platform/http/routing/answer-fields.ts";
import { accepted, ok } from "../../../platform/http/routing/reply.ts";
import type { RouteRequest } from "../../../platform/http/routing/route.ts";
import {
  GET,
  POST,
  type AccountPrincipal,
  type CustomerPath,
  type CustomerRoute,
} from "../../access/customer-routes.ts";
import type { ApiDeps } from "../../api-deps.ts";
import { eventType } from "../../../domain/event/answers/event-type-answer.ts";
import { ownEvent } from "../../events/routes.ts";
import { republishEvent } from "./store.ts";

type DeliveryDeps = Pick<ApiDeps, "bus" | "limitRepublished">;

const PATH = "/v2/webhook_deliveries";
const EVENT_PATH = "/v2/porting/events/:event_id";

const listQuery = z.strictObject({ ...pageQuery, ...deliveryFilters });

/** `/v2/webhook_deliveries`: the delivery log, retries and republishing. */
export function webhookDeliveryRoutes(deps: DeliveryDeps): CustomerRoute[] {
  return [
    listRoute(),
    eventTypesRoute(),
    readRoute(),
    retryRoute(deps),
    deliveriesOfEventRoute(),
    republishRoute(deps),
  ];
}

type ListRequest = RouteRequest<AccountPrincipal, unknown, PageQuery, unknown>;

async function listPage(request: ListRequest, filter: DeliveryFilter) {
  const { db, query } = request;
  const { accountId } = request.principal;
  const range = await rangeFrom(query, (id) => hasDelivery(db, accountId, id));
  return pageOf(request, await listDeliveries(db, { accountId, range, filter }));
}

function listRoute() {
  return GET(PATH, "List the deliveries", {
    description: "Every webhook that was sent or tried, with its attempts and the exact body.",
    answers: { 200: listOf(deliveryAnswer) },
    query: listQuery,
    handle: (request) => listPage(request, request.query),
  });
}

/** The names of all event types. */
const eventTypesAnswer = z
  .object({
    data: z.array(eventType).meta({ description: "The names of all event types" }),
    has_more: z.literal(false).meta({ description: "Always false: it is one page" }),
  })
  .meta({ id: "EventTypeList", description: "The names of all event types" });

function eventTypesRoute() {
  return GET(`${PATH}/meta/event_types`, "List the names of the event types", {
    operationId: "listEventTypes",
    description: "All names in one page, the reserved one that is never sent included.",
    answers: { 200: eventTypesAnswer },
    handle: () => ok({ data: EVENT_TYPES, has_more: false }),
  });
}

function readRoute() {
  return GET(`${PATH}/:id`, "Read a delivery", {
    description: "A delivery with each attempt and the exact body that was sent.",
    answers: { 200: deliveryAnswer },
    find: ownDelivery,
    handle: async ({ db, principal, params }) =>
      ok(await findDelivery(db, principal.accountId, params.id)),
  });
}

function retryRoute({ bus }: DeliveryDeps) {
  return POST(`${PATH}/:id/retry`, "Retry a delivery at once", {
    description: "One attempt outside of the retry schedule, of a failed or skipped delivery.",
    answers: { 202: deliveryAnswer },
    refuses: ["invalid_state", "endpoint_paused", "quota_exceeded"],
    find: ownDelivery,
    handle: async ({ db, principal: { accountId }, params: { id } }) => {
      const context = { messages: bus, accountId, now: bus.clock.now() };
      const delivery = await inTransaction(db, async (tx) => {
        await retryDelivery(tx, context, id);
        return findDelivery(tx, accountId, id);
      });
      return accepted(delivery);
    },
  });
}

function deliveriesOfEventRoute() {
  return GET(`${EVENT_PATH}/deliveries`, "List an event's deliveries", {
    description: "Every delivery that the event produced, those of a republish included.",
    answers: { 200: listOf(deliveryAnswer) },
    find: ownEvent,
    query: z.strictObject(pageQuery),
    handle: async (request) => {
      const { id: event_id } = await ownEvent(request);
      return listPage(request, { event_id });
    },
  });
}

function republishRoute({ bus, limitRepublished }: DeliveryDeps) {
  return POST(`${EVENT_PATH}/republish`, "Send an event again to the endpoints that match it now", {
    description: "Returns the new deliveries, none if nothing matches. It creates no new event.",
    answers: { 202: newDeliveriesAnswer },
    find: ownEvent,
    handle: async ({ db, principal: { accountId }, params: { event_id } }) => {
      await limitRepublished(accountId);
      const context = { messages: bus, accountId, now: bus.clock.now() };
      const data = await inTransaction(db, async (tx) => {
        const ids = await republishEvent(tx, context, event_id);
        return findDeliveries(tx, accountId, ids);
      });
      return accepted({ data });
    },
  });
}

/** The `find` of a route under a delivery's path; it reads no body. */
async function ownDelivery({ db, principal, params: { id } }: CustomerPath): Promise<void> {
  if (!(await hasDelivery(db, principal.accountId, id))) throw notFound();
}
