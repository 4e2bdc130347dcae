import { readdirSync, readFileSync } from "node:fs";

const TICKS_PER_SECOND = 100;

/** CPU seconds that the processes of these process groups have used so far, by group. */
export function cpuSecondsOf(groups: ReadonlySet<number>): Map<number, number> {
  const used = new Map<number, number>();
  for (const entry of readdirSync("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    const stat = statOf(entry);
    if (stat === null || !groups.has(stat.group)) continue;
    used.set(stat.group, (used.get(stat.group) ?? 0) + stat.seconds);
  }
  return used;
}

function statOf(pid: string): { readonly group: number; readonly seconds: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name, in parentheses, may hold anything; the fields that count come after it.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const ticks = Number(fields[11]) + Number(fields[12]);
    return { group: Number(fields[2]), seconds: ticks / TICKS_PER_SECOND };
  } catch {
    return null; // it ended meanwhile
  }
}
