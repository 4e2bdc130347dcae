import { errorCodeOf } from "../../../services/platform/errors.ts";

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
