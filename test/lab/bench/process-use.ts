import { readdirSync, readFileSync } from "node:fs";

const TICKS_PER_SECOND = 100;

interface ProcessStat {
  readonly parent: number;
  readonly seconds: number;
}

/** CPU seconds used so far by these processes and their descendants, by process. */
export function cpuSecondsOf(roots: ReadonlySet<number>): Map<number, number> {
  const stats = new Map<number, ProcessStat>();
  for (const entry of readdirSync("/proc")) {
    const stat = /^\d+$/.test(entry) ? statOf(entry) : null;
    if (stat !== null) stats.set(Number(entry), stat);
  }
  const used = new Map<number, number>();
  for (const [pid, { seconds }] of stats) {
    const root = rootOf(pid, roots, stats);
    if (root !== null) used.set(root, (used.get(root) ?? 0) + seconds);
  }
  return used;
}

function rootOf(
  pid: number,
  roots: ReadonlySet<number>,
  stats: ReadonlyMap<number, ProcessStat>,
): number | null {
  for (let at: number | undefined = pid; at !== undefined; at = stats.get(at)?.parent) {
    if (roots.has(at)) return at;
  }
  return null;
}

function statOf(pid: string): ProcessStat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in parentheses may contain anything, so the fields are read after it.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    // User and kernel time of the process itself and of its ended children.
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { parent: Number(fields[1]), seconds: ticks / TICKS_PER_SECOND };
  } catch {
    return null; // The process has ended meanwhile.
  }
}

/** Resident memory of a process, in MB. */
export function residentMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1_024;
}
