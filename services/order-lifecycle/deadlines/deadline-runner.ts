import type { WaitSpans } from "../../domain/deadline/deadline.ts";
import { dueKinds } from "../../domain/deadline/deadline.ts";
import type { Deadline, DeadlineKey } from "./store/take-due-deadlines.ts";
import { takeDueDeadlines } from "./store/take-due-deadlines.ts";
import { applyToOrder } from "../../domain/order/store/order-commands.ts";
import { lockOrders } from "../../domain/order/store/read-order.ts";
import type { OrderWriter } from "../../domain/order/store/save-order.ts";
import type { Order } from "../../domain/order/rules/order.ts";
import { SYSTEM_ACTOR } from "../../domain/order/rules/order.ts";
import type { Bus } from "../../messages/bus/bus.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { classifyError } from "../../platform/kafka/classify-error.ts";

/** Of each kind in one transaction: enough to make its commit cheap, few enough to hold no order for long. */
const BATCH = 50;
/** How long a deadline is left alone whose handler failed. */
const PUT_OFF_MS = 60_000;

export interface DeadlineRunnerOptions {
  readonly pollMs: number;
  readonly spans: WaitSpans;
}

export interface DeadlineRunner {
  stop(): Promise<void>;
}

interface PutOff extends DeadlineKey {
  readonly untilMs: number;
}

/** Takes what is due every `pollMs`, batch after batch; any number of processes share the table. */
export function startDeadlineRunner(bus: Bus, options: DeadlineRunnerOptions): DeadlineRunner {
  const stopping = new AbortController();
  const { signal } = stopping;
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  let putOff: readonly PutOff[] = [];

  const takeBatch = async (limit: number): Promise<number> => {
    const now = bus.clock.now();
    putOff = putOff.filter(({ untilMs }) => untilMs > now.getTime());
    const due = dueKinds(now, options.spans);
    const under: { hand: Deadline | null } = { hand: null };
    try {
      return await inTransaction(bus.pool, async (tx) => {
        const taken = await takeDueDeadlines(tx, { due, limit, except: putOff });
        const orders = await ordersOf({ ...bus, tx }, taken);
        for (const deadline of taken) {
          under.hand = deadline;
          await apply({ ...bus, tx }, orders, { ...deadline, now });
        }
        return taken.length;
      });
    } catch (error) {
      if (under.hand === null || classifyError(error) === "transient") throw error;
      const { kind, subject_id } = under.hand;
      bus.log.error({ err: error, kind, subject_id }, "a deadline failed and is put off");
      putOff = [...putOff, { kind, subject_id, untilMs: now.getTime() + PUT_OFF_MS }];
      return 1;
    }
  };
  const turn = (): void => {
    running = (async () => {
      while (!signal.aborted && (await takeBatch(BATCH)) > 0) bus.hint.poke();
    })()
      .catch((error: unknown) => bus.log.warn({ err: error }, "deadlines were not taken"))
      .then(() => {
        if (!signal.aborted) timer = setTimeout(turn, options.pollMs);
      });
  };
  turn();
  return {
    stop: async () => {
      stopping.abort();
      clearTimeout(timer);
      await running;
    },
  };
}

async function ordersOf({ tx }: OrderWriter, taken: readonly Deadline[]) {
  if (taken.length === 0) return new Map<string, Order>();
  const orders = await lockOrders(tx, [...new Set(taken.map((one) => one.subject_id))]);
  return new Map(orders.map((order) => [order.id, order]));
}

interface DueNow extends Deadline {
  readonly now: Date;
}

/** An order may have two deadlines in one batch: the second meets what the first made of it. */
async function apply(
  writer: OrderWriter,
  orders: Map<string, Order>,
  { kind, subject_id, at, now }: DueNow,
): Promise<void> {
  const order = orders.get(subject_id);
  if (order === undefined || order.deleted_at !== null) return;
  const given = { command: { command: kind, at }, actor: SYSTEM_ACTOR, now };
  orders.set(subject_id, await applyToOrder(writer, order, given));
}
