import type { Order } from "../../domain/order/rules/order.ts";
import { readDueTimes } from "../../domain/order/store/read-due-times.ts";
import { ok } from "../../platform/http/routing/reply.ts";
import type { AccountPrincipal } from "../access/principal.ts";
import type { ApiDeps } from "../api-deps.ts";
import { wholeOrderFor } from "./shown/order-view.ts";

/** The response with one order after a change of it, and when something happens by itself with it. */
export async function showOrder(
  { bus, expirySpans }: ApiDeps,
  principal: AccountPrincipal,
  order: Order,
) {
  const due = await readDueTimes(bus.pool, [order], expirySpans);
  return ok(wholeOrderFor(principal).present(order, due, bus.clock.now()));
}
