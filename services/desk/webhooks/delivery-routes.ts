import { z } from "zod";
import { deliveryFilters } from "../../domain/webhook/answers/delivery-filters.ts";
import { uuid } from "../../platform/http/body/fields.ts";
import { pageOf, pageQuery, rangeFrom } from "../../platform/http/paging/paging.ts";
import { listOf } from "../../platform/http/routing/answer-fields.ts";
import { ok } from "../../platform/http/routing/reply.ts";
import { viewer, type DeskRoute } from "../access/desk-routes.ts";
import type { DeskDeps } from "../desk-deps.ts";
import { requireAnyOrder } from "../orders/store/desk-orders.ts";
import { deskDeliveryAnswer } from "./answers.ts";
import { findDeskDelivery, listDeskDeliveries } from "./store/desk-deliveries.ts";

const PATH = "/desk/v1/deliveries";

const filtersOfOrder = z.object(deliveryFilters).omit({ porting_order_id: true }).shape;

/** The deliveries of all accounts, with their attempts and bodies. */
export function deliveryRoutes({ bus: { pool } }: Pick<DeskDeps, "bus">): DeskRoute[] {
  return [
    viewer.GET(PATH, "List the deliveries of all accounts", {
      description: "Every webhook that was sent or tried, with its attempts and the exact body.",
      answers: { 200: listOf(deskDeliveryAnswer) },
      query: z.strictObject({
        ...pageQuery,
        ...deliveryFilters,
        account_id: uuid().optional().describe("Deliveries of this account"),
      }),
      handle: async (request) => {
        const filter = request.query;
        const range = await rangeFrom(filter, (id) => findDeskDelivery(pool, id));
        return pageOf(request, await listDeskDeliveries(pool, { range, filter }));
      },
    }),
    viewer.GET(`${PATH}/:id`, "Read a delivery of any account", {
      description: "With each attempt and the exact body; the signing secret is never shown.",
      answers: { 200: deskDeliveryAnswer },
      find: ({ params }) => findDeskDelivery(pool, params.id),
      handle: async ({ params: { id } }) => ok(await findDeskDelivery(pool, id)),
    }),
    viewer.GET("/desk/v1/orders/:id/deliveries", "List the deliveries of an order's events", {
      description: "To every endpoint and to the order's own `webhook_url`, with their attempts.",
      answers: { 200: listOf(deskDeliveryAnswer) },
      find: ({ params }) => requireAnyOrder(pool, params.id),
      query: z.strictObject({ ...pageQuery, ...filtersOfOrder }),
      handle: async (request) => {
        const { id, account_id } = await requireAnyOrder(pool, request.params.id);
        const filter = { ...request.query, account_id, porting_order_id: id };
        const range = await rangeFrom(request.query, (one) => findDeskDelivery(pool, one));
        return pageOf(request, await listDeskDeliveries(pool, { range, filter }));
      },
    }),
  ];
}
