import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { errorCodeOf } from "../../../services/platform/errors.ts";

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
function processIdentity(pid: number): string | null {
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

function send(target: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(target, signal);
    return true;
  } catch (error) {
    // ESRCH: the process has ended; EPERM: the pid now belongs to another user's process.
    if (errorCodeOf(error) === "ESRCH" || errorCodeOf(error) === "EPERM") return false;
    throw error;
  }
}

/** Signals one process; false when it is gone. */
export function signalProcess(pid: number, signal: NodeJS.Signals): boolean {
  return send(pid, signal);
}

/** Signals a whole process group by its leader's pid; false when no process is left. */
export function signalGroup(leaderPid: number, signal: NodeJS.Signals): boolean {
  return send(-leaderPid, signal);
}

/**
 * Keeps a program from outliving its parent. The shell becomes the program (same pid); a watcher beside it
 * reads the pipe on standard input and stops the program when the pipe closes because the parent is gone.
 * A line on the pipe means that the program has ended by itself, so that the watcher never signals a reused pid.
 */
const SCRIPT = `
stop=$1; force=$2; shift 2
exec 3<&0
program=$$
(
  if read -r _ <&3; then exit 0; fi
  kill -s "$stop" "$program" 2>/dev/null || exit 0
  tries=0
  while [ $tries -lt 15 ] && kill -0 "$program" 2>/dev/null; do sleep 1; tries=$((tries + 1)); done
  kill -s "$force" "$program" 2>/dev/null
) >/dev/null 2>&1 &
exec "$@" </dev/null 3<&-
`;

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
}

/** The signals by which the watcher stops the program: `force` 15 s after `stop`. */
export interface WatchSignals {
  readonly stop: "SIGTERM" | "SIGINT";
  readonly force: "SIGKILL" | "SIGQUIT";
}

/** Wraps a command in the watcher; spawn it in its own process group with a pipe on standard input. */
export function watchedCommand({ command, args }: Command, { stop, force }: WatchSignals): Command {
  const names = [stop, force].map((signal) => signal.slice("SIG".length));
  return { command: "/bin/sh", args: ["-c", SCRIPT, "sh", ...names, command, ...args] };
}
