import { findOrder } from "../../domain/order/store/read-order.ts";
import type { Order } from "../../domain/order/rules/order.ts";
import type { CustomerPath } from "../access/customer-routes.ts";

/** The `find` of a route under an order's path. */
export function ownOrder({ db, principal, params }: CustomerPath): Promise<Order> {
  return findOrder(db, principal.accountId, params.id);
}
