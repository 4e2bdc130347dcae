import type { Bus } from "../messages/bus.ts";
import type { Deadline } from "../domain/deadline/deadline-store.ts";
import { takeDueDeadline } from "../domain/deadline/deadline-store.ts";
import { applyToOrder } from "../domain/order/order-command-store.ts";
import { lockOrder } from "../domain/order/order-read-store.ts";
import { SYSTEM_ACTOR } from "../domain/order/order.ts";
import type { Queryable } from "../platform/db/transaction.ts";
import { inTransaction } from "../platform/db/transaction.ts";

export interface DeadlineRunner {
  stop(): Promise<void>;
}

async function apply(tx: Queryable, bus: Bus, deadline: Deadline): Promise<void> {
  const order = await lockOrder(tx, deadline.subject_id);
  if (order === null || order.deleted_at !== null) return;
  const decision = { actor: SYSTEM_ACTOR, now: bus.clock.now() };
  const command = { command: deadline.kind, due_at: deadline.due_at };
  await applyToOrder({ ...bus, tx }, order, command, decision);
}

async function runDue(bus: Bus, signal: AbortSignal): Promise<void> {
  for (let found = true; found && !signal.aborted;) {
    found = await inTransaction(bus.pool, async (tx) => {
      const deadline = await takeDueDeadline(tx, bus.clock.now());
      if (deadline !== null) await apply(tx, bus, deadline);
      return deadline !== null;
    });
    if (found) bus.hint.poke();
  }
}

/** Takes what is due every `pollMs`; any number of processes share the table. */
export function startDeadlineRunner(bus: Bus, pollMs: number): DeadlineRunner {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const turn = (): void => {
    running = runDue(bus, stopping.signal)
      .catch((error: unknown) => bus.log.warn({ err: error }, "deadlines were not taken"))
      .then(() => {
        if (!stopping.signal.aborted) timer = setTimeout(turn, pollMs);
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
