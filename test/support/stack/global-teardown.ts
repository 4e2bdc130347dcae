import { setTimeout as pause } from "node:timers/promises";
import { markOf, signalProcess } from "../../../infra/start/supervisor/processes.ts";

/** Ends the stack if the global setup started one. */
export default async function globalTeardown(): Promise<void> {
  const pid = Number(process.env["STACK_PID"] ?? 0);
  if (pid === 0) return;
  delete process.env["STACK_FILE"];
  delete process.env["STACK_PID"];
  signalProcess(pid, "SIGTERM");
  while (markOf(pid) !== null) await pause(50);
}
