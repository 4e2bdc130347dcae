import { readFileSync } from "node:fs";
import { cpuSecondsOf } from "./process-cpu.ts";

const TICKS_PER_SECOND = 100;

/** CPU seconds of the whole machine since its start. */
function busySeconds(): number {
  const [line = ""] = readFileSync("/proc/stat", "utf8").split("\n");
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = line
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return (user + nice + system + irq + softirq) / TICKS_PER_SECOND;
}

/** What everything but this process and its descendants uses from now on, in percent of a core. */
export function watchForeignCpu(): () => number {
  const own = (): number => cpuSecondsOf(new Set([process.pid])).get(process.pid) ?? 0;
  const read = () => ({ own: own(), busy: busySeconds(), at: performance.now() });
  const before = read();
  return () => {
    const after = read();
    const seconds = after.busy - before.busy - (after.own - before.own);
    return Math.max(0, (seconds * 100_000) / (after.at - before.at));
  };
}
