import type { Queryable } from "../../../platform/db/transaction.ts";
import { isUuid } from "../../../platform/ids.ts";
import type { Order } from "../rules/order.ts";
import { lockOrder, lockOrders } from "./read-order.ts";

/** Orders that a transaction has locked, each as the transaction's last change to it left it. */
export class LockedOrders {
  readonly #orders: Map<string, Order>;

  constructor(orders: readonly Order[]) {
    this.#orders = new Map(orders.map((order) => [order.id, order]));
  }

  /** Null for an order that does not exist. */
  find(orderId: string | null): Order | null {
    return orderId === null ? null : (this.#orders.get(orderId) ?? null);
  }

  /** Remembers an order as it was saved. */
  update(order: Order): void {
    this.#orders.set(order.id, order);
  }
}

/** Locks orders of any account until the transaction ends, including deleted ones; ids that name none are left out. */
export async function lockNamedOrders(
  tx: Queryable,
  orderIds: readonly (string | null)[],
): Promise<LockedOrders> {
  const ids = new Set(orderIds.flatMap((id) => (id !== null && isUuid(id) ? [id] : [])));
  const [only] = ids;
  if (only === undefined) return new LockedOrders([]);
  // One alone has a plan that is reused.
  if (ids.size > 1) return new LockedOrders(await lockOrders(tx, [...ids]));
  const order = await lockOrder(tx, only);
  return new LockedOrders(order === null ? [] : [order]);
}
