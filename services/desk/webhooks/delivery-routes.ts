import { z } from "zod";
import { deliveryFilters } from "../../domain/webhook/answers/delivery-answer.ts";
import { uuid } from "../../platform/http/body/fields.ts";
import { pageOf, pageQuery, rangeFrom } from "../../platform/http/paging.ts";
import { listOf } from "../../platform/http/routing/answer-fields.ts";
import { ok } from "../../platform/http/routing/reply.ts";
import { viewer, type DeskRoute } from "../access/desk-routes.ts";
import { requireAnyOrder } from "../orders/store/desk-orders.ts";
import { deskDeliveryAnswer } from "./answers.ts";
import { findDeskDelivery, listDeskDeliveries } from "./store/desk-deliveries.ts";

const PATH = "/desk/v1/deliveries";

const filtersOfOrder = z.object(deliveryFilters).omit({ porting_order_id: true }).shape;

/** The deliveries of all accounts, with their attempts and bodies. */
export function deliveryRoutes(): DeskRoute[] {
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
        const { db, query: filter } = request;
        const range = await rangeFrom(filter, (id) => findDeskDelivery(db, id));
        return pageOf(request, await listDeskDeliveries(db, { range, filter }));
      },
    }),
    viewer.GET(`${PATH}/:id`, "Read a delivery of any account", {
      description: "With each attempt and the exact body; the signing secret is never shown.",
      answers: { 200: deskDeliveryAnswer },
      find: ({ db, params }) => findDeskDelivery(db, params.id),
      handle: async ({ db, params: { id } }) => ok(await findDeskDelivery(db, id)),
    }),
    viewer.GET("/desk/v1/orders/:id/deliveries", "List the deliveries of an order's events", {
      description: "To every endpoint and to the order's own `webhook_url`, with their attempts.",
      answers: { 200: listOf(deskDeliveryAnswer) },
      find: ({ db, params }) => requireAnyOrder(db, params.id),
      query: z.strictObject({ ...pageQuery, ...filtersOfOrder }),
      handle: async (request) => {
        const { db } = request;
        const { id, account_id } = await requireAnyOrder(db, request.params.id);
        const filter = { ...request.query, account_id, porting_order_id: id };
        const range = await rangeFrom(request.query, (one) => findDeskDelivery(db, one));
        return pageOf(request, await listDeskDeliveries(db, { range, filter }));
      },
    }),
  ];
}
