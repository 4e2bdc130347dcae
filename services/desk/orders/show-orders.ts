import type { Order } from "../../domain/order/rules/order.ts";
import { readDueTimes } from "../../domain/order/store/read-order.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import type { DeskDeps } from "../desk-deps.ts";
import type { Shown } from "./present-desk-order.ts";
import { readDeskFacts } from "./store/desk-facts.ts";

export type ShowDeps = Pick<DeskDeps, "bus" | "expirySpans">;

interface ShowContext extends ShowDeps {
  readonly db: Queryable;
}

/** Presents orders with what happens by itself and why the desk should look at them: two statements for all of them. */
export async function showOrders<O extends Order, Answer>(
  { db, bus: { clock }, expirySpans }: ShowContext,
  orders: readonly O[],
  present: (order: O, shown: Shown) => Answer,
): Promise<Answer[]> {
  const now = clock.now();
  const ids = orders.map(({ id }) => id);
  const [due, facts] = await Promise.all([
    readDueTimes(db, orders, expirySpans),
    readDeskFacts(db, ids, now),
  ]);
  return orders.flatMap((order) => {
    const own = facts.get(order.id);
    return own === undefined ? [] : [present(order, { due, facts: own, now })];
  });
}
