import { randomUUID } from "node:crypto";
import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { errorCodeOf, AppError } from "../../../services/platform/errors.ts";
import { writeFileAtomically } from "../../atomic-file.ts";
import { isAlive, markOf, signalGroup, signalProcess, type ProcessMark } from "./processes.ts";
import { until } from "./until.ts";

const pidFile = z.object({
  pid: z.number().int().positive(),
  began: z.string(),
  stop_signal: z.enum(["SIGTERM", "SIGINT"]),
});

export type PidFile = z.infer<typeof pidFile>;
export type StopSignal = PidFile["stop_signal"];

const LEFTOVER_GRACE_MS = 10_000;

/** One file per running program, by which the next start ends programs that a killed start left running. */
export class PidFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  #path(name: string): string {
    return join(this.#folder, `${name}.json`);
  }

  write(name: string, pid: number, stopSignal: StopSignal): void {
    const mark = markOf(pid);
    if (mark === null) return;
    const content: PidFile = { ...mark, stop_signal: stopSignal };
    writeFileAtomically(this.#path(name), `${JSON.stringify(content)}\n`, 0o644);
  }

  /** The program's process; null when it does not run. A file is empty only after a power failure, which ended it. */
  read(name: string): PidFile | null {
    let file: PidFile;
    try {
      file = pidFile.parse(JSON.parse(readFileSync(this.#path(name), "utf8")));
    } catch {
      return null;
    }
    return isAlive(file) ? file : null;
  }

  remove(name: string): void {
    rmSync(this.#path(name), { force: true });
  }

  /** Ends every process that the files name: by its stop signal, and by SIGKILL after 10 s. */
  async endLeftovers(log: (line: string) => void): Promise<void> {
    const names = readdirSync(this.#folder)
      .filter((file) => file.endsWith(".json"))
      .map((file) => file.slice(0, -".json".length));
    await Promise.all(names.map((name) => this.#endLeftover(name, log)));
  }

  async #endLeftover(name: string, log: (line: string) => void): Promise<void> {
    const leftover = this.read(name);
    if (leftover !== null) {
      log(`ending ${name} (pid ${leftover.pid}), left running by an earlier start`);
      signalProcess(leftover.pid, leftover.stop_signal);
      signalProcess(leftover.pid, "SIGCONT");
      const gone = (): boolean => !isAlive(leftover);
      await until(gone, { timeoutMs: LEFTOVER_GRACE_MS, what: `${name} to end` }).catch(
        () => undefined,
      );
      signalGroup(leftover.pid, "SIGKILL");
      await until(gone, { timeoutMs: 10_000, what: `${name} (pid ${leftover.pid}) to end` });
    }
    this.remove(name);
  }
}

const holderSchema = z.object({ pid: z.number().int().positive(), began: z.string() });

/** Null where there is none, and where the file is empty, as a power failure may leave it. */
function readHolder(path: string): ProcessMark | null {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (errorCodeOf(error) === "ENOENT") return null;
    throw error;
  }
  return text.replaceAll("\0", "").trim() === "" ? null : holderSchema.parse(JSON.parse(text));
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (errorCodeOf(error) === "EEXIST") return false;
    throw error;
  }
}

/** Removes the lock of a dead holder; a live process that took it in the meantime gets it back. */
function clearStale(path: string): void {
  const aside = `${path}.${randomUUID()}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (errorCodeOf(error) === "ENOENT") return;
    throw error;
  }
  const holder = readHolder(aside);
  if (holder !== null && isAlive(holder)) tryLink(aside, path);
  rmSync(aside, { force: true });
}

/**
 * Locks a data folder for this process; returns the function that releases it. The lock of a dead process is replaced.
 * @throws `stack_failed` where a live process holds the lock
 */
export function lockDataFolder(folder: string): () => void {
  const path = join(folder, "lock.json");
  const own = `${path}.${randomUUID()}`;
  writeFileSync(own, JSON.stringify(markOf(process.pid)));
  try {
    for (let tries = 0; tries < 20; tries += 1) {
      if (tryLink(own, path)) return () => rmSync(path, { force: true });
      const holder = readHolder(path);
      if (holder !== null && isAlive(holder)) {
        throw new AppError(
          "stack_failed",
          `Another npm start (pid ${holder.pid}) already runs on ${folder}: stop it first, or set DATA_DIR to another folder.`,
        );
      }
      clearStale(path);
    }
  } finally {
    rmSync(own, { force: true });
  }
  throw new AppError(
    "stack_failed",
    `Could not lock ${folder}: remove ${path} if no npm start runs there.`,
  );
}
