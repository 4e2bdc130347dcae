import { applyToPortOut } from "../../domain/port-out/store/port-out-commands.ts";
import { takeDuePortOut } from "./store/take-due-port-out.ts";
import type { Bus } from "../../messages/bus/bus.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { classifyError } from "../../platform/kafka/classify-error.ts";
import type { Periodic } from "../../platform/periodic.ts";
import { startPeriodic } from "../../platform/periodic.ts";

/** How long a port-out is left alone whose deadline could not be handled. */
const PUT_OFF_MS = 60_000;

/** Lets port-outs go ahead that nobody decided in time; any number of processes share the table. */
export function startPortOutDeadlines(bus: Bus, options: { readonly pollMs: number }): Periodic {
  const putOff = new Map<string, number>();
  let stopping = false;
  const takeOne = async (): Promise<boolean> => {
    const now = bus.clock.now();
    for (const [id, untilMs] of putOff) if (untilMs <= now.getTime()) putOff.delete(id);
    const under: { hand: string | null } = { hand: null };
    try {
      return await inTransaction(bus.pool, async (tx) => {
        const due = await takeDuePortOut(tx, now, [...putOff.keys()]);
        if (due === null) return false;
        under.hand = due.id;
        await applyToPortOut({ ...bus, tx }, due, { command: { command: "deadline" }, now });
        return true;
      });
    } catch (error) {
      const { hand } = under;
      if (hand === null || classifyError(error) === "transient") throw error;
      bus.log.error({ err: error, port_out_id: hand }, "a port-out's deadline is put off");
      putOff.set(hand, now.getTime() + PUT_OFF_MS);
      return true;
    }
  };
  const periodic = startPeriodic({
    name: "port-out deadlines",
    everyMs: options.pollMs,
    run: async () => {
      while (!stopping && (await takeOne())) bus.hint.poke();
    },
    log: bus.log,
  });
  return {
    stop: async () => {
      stopping = true;
      await periodic.stop();
    },
  };
}
