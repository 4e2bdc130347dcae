import { presentOrder } from "../../domain/order/answers/present-order.ts";
import type { Order } from "../../domain/order/rules/order.ts";
import { readDueTimes } from "../../domain/order/store/read-due-times.ts";
import { ok } from "../../platform/http/routing/reply.ts";
import type { ApiDeps } from "../api-deps.ts";

/** The response with one order, and when something happens by itself with it. */
export async function showOrder({ bus, expirySpans }: ApiDeps, order: Order) {
  return ok(presentOrder(order, await readDueTimes(bus.pool, [order], expirySpans)));
}
