import { z } from "zod";
import { writeAudit } from "../../domain/account/store/audit-log.ts";
import { deliveryFilters } from "../../domain/webhook/answers/delivery-answer.ts";
import { retryDelivery } from "../../domain/webhook/store/retry-delivery.ts";
import { updateEndpoint } from "../../domain/webhook/store/endpoints.ts";
import { countedRange } from "../../platform/db/count-rows.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { uuid } from "../../platform/http/body/fields.ts";
import {
  pageOf,
  pageQuery,
  pageRows,
  rangeFrom,
  type FilterParameters,
} from "../../platform/http/paging.ts";
import { listOf } from "../../platform/http/routing/answer-fields.ts";
import { accepted, ok } from "../../platform/http/routing/reply.ts";
import {
  byOperator,
  lead,
  viewer,
  type DeskRoute,
  type OperatorRequest,
} from "../access/desk-routes.ts";
import type { DeskDeps } from "../desk-deps.ts";
import { exportRoute } from "../lists/export-route.ts";
import { countedListOf, totalQuery, withTotal } from "../lists/list-query.ts";
import { requireAnyOrder } from "../orders/store/find-orders.ts";
import { deskDeliveryAnswer, deskEndpointAnswer } from "./answers.ts";
import {
  countDeskDeliveries,
  countDeskEndpoints,
  findDeskDelivery,
  findDeskEndpoint,
  listDeskDeliveries,
  listDeskEndpoints,
  type DeskEndpointFilter,
} from "./store.ts";

const DELIVERIES = "/desk/v1/deliveries";

const deliveryQuery = z.strictObject({
  ...pageQuery,
  ...totalQuery,
  ...deliveryFilters,
  account_id: uuid().optional().describe("Deliveries of this account"),
});

type ByDesk = Pick<OperatorRequest, "db">;

async function readDeliveries({ db }: ByDesk, query: z.output<typeof deliveryQuery>) {
  const { account_id: accountId, ...filter } = query;
  const range = await rangeFrom(query, (id) => findDeskDelivery(db, id));
  const { rows, hasMore } = await listDeskDeliveries(db, { range, accountId, filter });
  return { rows, hasMore };
}

const filtersOfOrder = z.object(deliveryFilters).omit({ porting_order_id: true }).shape;

type WebhookDeps = Pick<DeskDeps, "bus">;

/** The deliveries of all accounts, with their attempts and bodies. */
export function deliveryRoutes(deps: WebhookDeps): DeskRoute[] {
  return [
    viewer.GET(DELIVERIES, "List the deliveries of all accounts", {
      description: "Every webhook that was sent or tried, with its attempts and the exact body.",
      answers: { 200: countedListOf(deskDeliveryAnswer) },
      query: deliveryQuery,
      handle: async (request) => {
        const { db, query } = request;
        const { account_id: accountId, ...filter } = query;
        return withTotal(request, pageOf(request, await readDeliveries(request, query)), () =>
          countDeskDeliveries(db, { range: countedRange(query), accountId, filter }),
        );
      },
    }),
    exportRoute(DELIVERIES, {
      name: "deliveries",
      answer: deskDeliveryAnswer,
      query: deliveryQuery,
      read: readDeliveries,
    }),
    viewer.GET(`${DELIVERIES}/:id`, "Read a delivery of any account", {
      description: "With each attempt and the exact body; the signing secret is never shown.",
      answers: { 200: deskDeliveryAnswer },
      find: ({ db, params }) => findDeskDelivery(db, params.id),
      handle: async ({ db, params: { id } }) => ok(await findDeskDelivery(db, id)),
    }),
    retryRoute(deps),
    viewer.GET("/desk/v1/orders/:id/deliveries", "List the deliveries of an order's events", {
      description: "To every endpoint and to the order's own `webhook_url`, with their attempts.",
      answers: { 200: listOf(deskDeliveryAnswer) },
      find: ({ db, params }) => requireAnyOrder(db, params.id),
      query: z.strictObject({ ...pageQuery, ...filtersOfOrder }),
      handle: async (request) => {
        const { db } = request;
        const { id, account_id: accountId } = await requireAnyOrder(db, request.params.id);
        const filter = { ...request.query, porting_order_id: id };
        const range = await rangeFrom(request.query, (one) => findDeskDelivery(db, one));
        return pageOf(request, await listDeskDeliveries(db, { range, accountId, filter }));
      },
    }),
  ];
}

function retryRoute({ bus }: WebhookDeps): DeskRoute {
  return lead.POST(`${DELIVERIES}/:id/retry`, "Retry a delivery at once for its customer", {
    description:
      "As the customer's own retry: one attempt outside of the retry schedule, of a failed or skipped delivery.",
    answers: { 202: deskDeliveryAnswer },
    refuses: ["invalid_state", "endpoint_paused", "quota_exceeded"],
    find: ({ db, params }) => findDeskDelivery(db, params.id),
    handle: async (request) => {
      const { db } = request;
      const { id } = request.params;
      const { account, event_id, porting_order_id } = await findDeskDelivery(db, id);
      const now = bus.clock.now();
      await inTransaction(db, async (tx) => {
        const context = { messages: bus, accountId: account.id, now };
        const before = await retryDelivery(tx, context, id);
        await writeAudit(tx, {
          ...byOperator(request, now),
          action: "webhook_delivery.retried",
          accountId: account.id,
          portingOrderId: porting_order_id,
          before: { status: before },
          after: { webhook_delivery_id: id, event_id, status: "retrying" },
        });
      });
      return accepted(await findDeskDelivery(db, id));
    },
  });
}

const ENDPOINTS = "/desk/v1/webhook_endpoints";

const endpointFilters = {
  account_id: uuid().optional().describe("Endpoints of this account"),
  failing: z
    .enum(["true", "false"])
    .transform((given) => given === "true")
    .optional()
    .meta({
      description:
        "Endpoints whose latest attempt failed, and those that the system paused for that; or the others",
    }),
} satisfies FilterParameters<DeskEndpointFilter>;

const endpointQuery = z.strictObject({ ...pageQuery, ...totalQuery, ...endpointFilters });

async function readEndpoints({ db }: ByDesk, filter: z.output<typeof endpointQuery>) {
  const range = await rangeFrom(filter, (id) => findDeskEndpoint(db, id));
  return pageRows(await listDeskEndpoints(db, { range, filter }), filter);
}

/** The webhook endpoints of all accounts: which fail, since when and why; secrets are never shown. */
export function endpointRoutes({ bus: { clock } }: WebhookDeps): DeskRoute[] {
  return [
    viewer.GET(ENDPOINTS, "List the webhook endpoints of all accounts", {
      description:
        "The oldest undelivered webhook is sought among the 1,000 of an endpoint that are due longest.",
      answers: { 200: countedListOf(deskEndpointAnswer) },
      query: endpointQuery,
      handle: async (request) => {
        const { db, query: filter } = request;
        const reply = pageOf(request, await readEndpoints(request, filter));
        return withTotal(request, reply, () =>
          countDeskEndpoints(db, { range: countedRange(filter), filter }),
        );
      },
    }),
    exportRoute(ENDPOINTS, {
      name: "webhook-endpoints",
      answer: deskEndpointAnswer,
      query: endpointQuery,
      read: readEndpoints,
    }),
    viewer.GET(`${ENDPOINTS}/:id`, "Read a webhook endpoint of any account", {
      description: "As in the list; the signing secret is never shown.",
      answers: { 200: deskEndpointAnswer },
      find: ({ db, params }) => findDeskEndpoint(db, params.id),
      handle: async ({ db, params: { id } }) => ok(await findDeskEndpoint(db, id)),
    }),
    lead.POST(`${ENDPOINTS}/:id/resume`, "Resume a paused webhook endpoint for its customer", {
      description:
        "As the customer's PATCH of `active`: what was skipped meanwhile is not sent; a recovery sends it. An active endpoint stays as it is.",
      answers: { 200: deskEndpointAnswer },
      find: ({ db, params }) => findDeskEndpoint(db, params.id),
      handle: async (request) => {
        const { db } = request;
        const { id } = request.params;
        const before = await findDeskEndpoint(db, id);
        const now = clock.now();
        await inTransaction(db, async (tx) => {
          const address = { accountId: before.account.id, id };
          await updateEndpoint(tx, address, { patch: { active: true }, now });
          await writeAudit(tx, {
            ...byOperator(request, now),
            action: "webhook_endpoint.resumed",
            accountId: before.account.id,
            before: { active: before.active, paused_by: before.paused_by },
            after: { webhook_endpoint_id: id, active: true },
          });
        });
        return ok(await findDeskEndpoint(db, id));
      },
    }),
  ];
}
