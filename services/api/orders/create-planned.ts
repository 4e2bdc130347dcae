import type { Actor } from "../../domain/order/rules/order.ts";
import type { Database } from "../../platform/db/transaction.ts";
import { runningSpan } from "../../platform/tracing/tracing.ts";
import type { ApiDeps } from "../api-deps.ts";
import { locateNumbers, planOrders, type OrderPlan, type OrderRequest } from "./plan-orders.ts";

interface Creation {
  readonly db: Database;
  readonly body: OrderRequest;
  readonly actor: Actor;
  readonly accountId: string;
}

/** Creates the orders, planned again with the holders that the creation finds; faults if nothing can be planned. */
export async function createPlanned(
  { bus, createOrders, defaultProvider, directory, terms }: ApiDeps,
  { db, body, actor, accountId }: Creation,
): Promise<OrderPlan> {
  const now = bus.clock.now();
  const holders = new Map<string, string>();
  const located = await locateNumbers(body.phone_numbers, body, directory);
  for (;;) {
    const context = { accountId, defaultProvider, directory, terms, located, holders, now };
    const plan = planOrders(body, context);
    if ("faults" in plan) return plan;
    const requested = body.phone_numbers;
    const { orders } = plan;
    const traceparent = runningSpan()?.traceparent;
    const batch = { orders, requested, holders, actor, now, traceparent };
    const unknown = await createOrders(db, batch);
    if (unknown === null) return plan;
    for (const [number, holder] of unknown) holders.set(number, holder);
  }
}
