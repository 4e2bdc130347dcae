import type { DueKind } from "../../domain/deadline/deadline.ts";
import { applyToPortOut } from "../../domain/port-out/store/port-out-commands.ts";
import { lockPortOut } from "../../domain/port-out/store/read-port-out.ts";
import type { TakeBatch } from "./deadline-runner.ts";
import { takeDueDeadlines } from "./store/take-due-deadlines.ts";

/** One per transaction: it locks its numbers too, and two in one transaction could deadlock with another process. */
const BATCH = 1;

/** The port-out deadlines that are due now. */
export function duePortOuts(now: Date): DueKind<"port_out">[] {
  return [{ kind: "port_out", until: now }];
}

/** Lets port-outs proceed that were not decided in time. */
export const portOutDeadlines: TakeBatch = async (writer, { now, except, handle }) => {
  const options = { subjects: "port_outs", due: duePortOuts(now), limit: BATCH, except } as const;
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
