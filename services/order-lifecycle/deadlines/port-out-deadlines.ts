import { applyToPortOut } from "../../domain/port-out/store/port-out-commands.ts";
import { lockPortOut } from "../../domain/port-out/store/read-port-out.ts";
import type { TakeBatch } from "./deadline-runner.ts";
import { takeDueDeadlines } from "./store/take-due-deadlines.ts";

/** One per transaction: it locks its numbers too, and two in one transaction could deadlock with another process. */
const BATCH = 1;

/** Lets port-outs proceed that were not decided in time. */
export const portOutDeadlines: TakeBatch = async (writer, { now, except, handle }) => {
  const due = [{ kind: "port_out", until: now }];
  const options = { subjects: "port_outs", due, limit: BATCH, except } as const;
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
