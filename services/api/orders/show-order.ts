import { presentOrder } from "../../domain/order/answers/order-answer.ts";
import type { Order } from "../../domain/order/rules/order.ts";
import { readDueTimes } from "../../domain/order/store/read-order.ts";
import { ok } from "../../platform/http/routing/reply.ts";
import type { CustomerPath } from "../access/customer-routes.ts";
import type { ApiDeps } from "../api-deps.ts";

/**
 * The response with one order, and when something happens by itself with it. An order's link is in the hands of an end
 * user, who is not shown where the customer's webhooks go.
 */
export async function showOrder(
  { expirySpans }: Pick<ApiDeps, "expirySpans">,
  { db, principal: { portal } }: Pick<CustomerPath, "db" | "principal">,
  order: Order,
) {
  const shown = presentOrder(order, await readDueTimes(db, [order], expirySpans));
  return ok((portal?.orderId ?? null) === null ? shown : { ...shown, webhook_url: null });
}
