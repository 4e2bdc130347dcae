import { takesRequest, type Providers } from "../../domain/carrier/rules/provider.ts";
import { dueKinds, type WaitSpans } from "../../domain/deadline/deadline.ts";
import { SYSTEM_ACTOR } from "../../domain/order/rules/order.ts";
import { applyToOrder } from "../../domain/order/store/order-commands.ts";
import { lockOrders } from "../../domain/order/store/read-order.ts";
import type { TakeBatch } from "./deadline-runner.ts";
import { takeDueDeadlines } from "./store/take-due-deadlines.ts";

/** Per kind and transaction: enough to make its commit cheap, few enough not to lock orders for long. */
const BATCH = 50;

/** Applies due deadlines to orders: each kind of deadline is a command of its own. */
export function orderDeadlines(spans: WaitSpans, providers: Pick<Providers, "get">): TakeBatch {
  return async (writer, { now, except, handle }) => {
    const due = dueKinds(now, spans);
    const options = { subjects: "orders", due, limit: BATCH, except } as const;
    const taken = await takeDueDeadlines(writer.tx, options);
    if (taken.length === 0) return 0;
    const ids = [...new Set(taken.map((one) => one.subject_id))];
    const orders = new Map((await lockOrders(writer.tx, ids)).map((order) => [order.id, order]));
    for (const deadline of taken) {
      const { kind, subject_id, at } = deadline;
      await handle(deadline, async () => {
        const order = orders.get(subject_id);
        if (order === undefined || order.deleted_at !== null) return;
        const takes = (request: string) => takesRequest(providers, order.provider, request);
        const given = { command: { command: kind, at, takes }, actor: SYSTEM_ACTOR, now };
        // An order may have two deadlines in one batch: the second applies to the result of the first.
        orders.set(subject_id, await applyToOrder(writer, order, given));
      });
    }
    return taken.length;
  };
}
