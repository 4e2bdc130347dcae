import { takesRequest, type Providers } from "../../domain/carrier/rules/provider.ts";
import { dueKinds, type WaitSpans, type DueKind } from "../../domain/deadline/deadline.ts";
import { SYSTEM_ACTOR } from "../../domain/order/rules/order.ts";
import { applyToOrder } from "../../domain/order/store/order-commands.ts";
import { lockOrders } from "../../domain/order/store/read-order.ts";
import type { TakeBatch } from "./deadline-runner.ts";
import { takeDueDeadlines } from "./store/take-due-deadlines.ts";
import { applyToPortOut } from "../../domain/port-out/store/port-out-commands.ts";
import { lockPortOut } from "../../domain/port-out/store/read-port-out.ts";

/** Per kind and transaction: enough to make its commit cheap, few enough not to lock orders for long. */
const ORDERS_AT_ONCE = 50;

/** Applies due deadlines to orders: each kind of deadline is a command of its own. */
export function orderDeadlines(spans: WaitSpans, providers: Pick<Providers, "get">): TakeBatch {
  return async (writer, { now, except, handle }) => {
    const due = dueKinds(now, spans);
    const options = { subjects: "orders", due, limit: ORDERS_AT_ONCE, except } as const;
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

/** One per transaction: it locks its numbers too, and two in one transaction could deadlock with another process. */
const PORT_OUTS_AT_ONCE = 1;

/** The port-out deadlines that are due now. */
export function duePortOuts(now: Date): DueKind<"port_out">[] {
  return [{ kind: "port_out", until: now }];
}

/** Lets port-outs proceed that were not decided in time. */
export const portOutDeadlines: TakeBatch = async (writer, { now, except, handle }) => {
  const options = {
    subjects: "port_outs",
    due: duePortOuts(now),
    limit: PORT_OUTS_AT_ONCE,
    except,
  } as const;
  const taken = await takeDueDeadlines(writer.tx, options);
  for (const deadline of taken) {
    await handle(deadline, async () => {
      const portOut = await lockPortOut(writer.tx, deadline.subject_id);
      const given = { command: { command: "deadline" }, now } as const;
      if (portOut !== null) await applyToPortOut(writer, portOut, given);
    });
  }
  return taken.length;
};
