import { readFileSync, readdirSync } from "node:fs";
import { cpuSecondsOf } from "../process-cpu.ts";

const TICKS_PER_SECOND = 100;
const KIB_PER_MIB = 1_024;

export interface Usage {
  /** CPU seconds, by the counted processes' names. */
  readonly seconds: ReadonlyMap<string, number>;
  /** CPU seconds of all other processes on the machine. */
  readonly foreign: number;
  readonly elapsedSeconds: number;
}

/** CPU seconds of the whole machine since its start. */
function busySeconds(): number {
  const [line = ""] = readFileSync("/proc/stat", "utf8").split("\n");
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = line
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return (user + nice + system + irq + softirq) / TICKS_PER_SECOND;
}

/** Starts measuring; the returned function gives the usage since. `besides` belong to the run and are not counted. */
export function startMeter(
  counted: ReadonlyMap<number, string>,
  besides: readonly number[],
): () => Usage {
  const roots = new Set([...counted.keys(), ...besides, process.pid]);
  const read = () => ({ used: cpuSecondsOf(roots), busy: busySeconds(), at: performance.now() });
  const before = read();
  return () => {
    const after = read();
    const spent = (pid: number): number => (after.used.get(pid) ?? 0) - (before.used.get(pid) ?? 0);
    const ofRun = [...roots].reduce((sum, pid) => sum + spent(pid), 0);
    return {
      seconds: new Map([...counted].map(([pid, name]) => [name, spent(pid)])),
      foreign: Math.max(0, after.busy - before.busy - ofRun),
      elapsedSeconds: (after.at - before.at) / 1_000,
    };
  };
}

export function totalOf(seconds: ReadonlyMap<string, number>): number {
  return [...seconds.values()].reduce((sum, one) => sum + one, 0);
}

/** Memory of the processes and their descendants in MiB; shared pages are counted once (PSS). */
export function memoryOf(roots: ReadonlySet<number>): number {
  const parents = new Map<number, number>();
  for (const entry of readdirSync("/proc")) {
    if (/^\d+$/.test(entry)) parents.set(Number(entry), parentOf(entry));
  }
  const belongs = (pid: number | undefined): boolean =>
    pid !== undefined && (roots.has(pid) || belongs(parents.get(pid)));
  return [...parents.keys()].filter(belongs).reduce((sum, pid) => sum + shareOf(pid), 0);
}

function parentOf(pid: string): number {
  return Number(/^PPid:\s+(\d+)/m.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0);
}

function shareOf(pid: number): number {
  const pss = /^Pss:\s+(\d+)/m.exec(textOf(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0;
  return Number(pss) / KIB_PER_MIB;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // The process has ended meanwhile.
  }
}
