import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

function fromProc(pid: number): string | null {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return null;
  }
  // The name (field 2) may contain spaces and parentheses: field 3, the state, follows the last parenthesis.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state, startTicks] = [fields[0], fields[19]];
  if (state === "Z" || state === "X" || startTicks === undefined) return null;
  return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()}:${startTicks}`;
}

function fromPs(pid: number): string | null {
  try {
    const line = execFileSync("ps", ["-o", "stat=,lstart=", "-p", String(pid)], {
      encoding: "utf8",
    }).trim();
    return line === "" || line.startsWith("Z") ? null : line.replace(/^\S+\s+/, "");
  } catch {
    return null;
  }
}

/** When a process began, as text that differs for a later process with the same pid; null when it is gone or a zombie. */
export function processIdentity(pid: number): string | null {
  return process.platform === "linux" ? fromProc(pid) : fromPs(pid);
}

/** A process by its pid and start time: the pid alone may belong to another process by now. */
export interface ProcessMark {
  readonly pid: number;
  readonly began: string;
}

/** The mark of a running process; null when it is gone. */
export function markOf(pid: number): ProcessMark | null {
  const began = processIdentity(pid);
  return began === null ? null : { pid, began };
}

export function isAlive(mark: ProcessMark): boolean {
  return processIdentity(mark.pid) === mark.began;
}
