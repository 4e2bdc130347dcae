import { spawn, type ChildProcess } from "node:child_process";
import { closeSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { AppError } from "../../../services/platform/errors.ts";
import type { ProcessOwner } from "../../local-stack/process-owner.ts";
import { keepLogSmall, lastError, logSize, openLog } from "./log-file.ts";
import type { PidFiles, StopSignal } from "./pid-files.ts";
import { signalGroup, signalProcess, type Command } from "./processes.ts";
import { until } from "./until.ts";

const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 5_000;
const HEALTHY_AFTER_MS = 30_000;

/** The delay before a dead program is restarted: doubles from 100 ms to 5 s, and starts over after 30 s of health. */
export class Backoff {
  #nextMs = FIRST_DELAY_MS;

  /** `healthyMs`: how long the program was ready before it died, 0 when it never was. */
  delayAfter(healthyMs: number): number {
    if (healthyMs >= HEALTHY_AFTER_MS) this.#nextMs = FIRST_DELAY_MS;
    const delay = this.#nextMs;
    this.#nextMs = Math.min(delay * 2, MAX_DELAY_MS);
    return delay;
  }
}

/** Each probe wakes the program; a tenth of the time in which it must react is often enough. */
const PROBES = 10;
const MOST_PAUSE_MS = 2_000;
/** A probe that took longer was held up by this process, or by the whole machine: it says nothing of the program. */
const LONGEST_PROBE_MS = 6_000;

export interface HangWatchOptions {
  /** Whether the program reacts at all, ready or not. */
  readonly reacts: () => Promise<boolean>;
  /** Whether it has reacted to others. */
  readonly hasReacted: () => boolean;
  /** True while it is paused on purpose or being stopped. */
  readonly mayBeSilent: () => boolean;
  readonly hungAfterMs: number;
  /** The same before its first reaction: a start may take its time. */
  readonly startLimitMs: number;
}

/** Resolves to true once a program has not reacted for so long, to false when `over` is aborted first. */
export async function hangs(
  { reacts, hasReacted, mayBeSilent, hungAfterMs, startLimitMs }: HangWatchOptions,
  over: AbortSignal,
): Promise<boolean> {
  let silentMs = 0;
  let hasStarted = false;
  const pauseMs = Math.min(hungAfterMs / PROBES, MOST_PAUSE_MS);
  for (let last = performance.now(); !over.aborted;) {
    const reacted = await reacts();
    hasStarted ||= reacted || hasReacted();
    const isFine = reacted || mayBeSilent();
    const now = performance.now();
    silentMs = silenceAfter(silentMs, { isFine, tookMs: now - last });
    if (silentMs >= (hasStarted ? hungAfterMs : startLimitMs)) return true;
    last = now;
    await pause(pauseMs, undefined, { signal: over }).catch(() => undefined);
  }
  return false;
}

/** How long a program has been silent after one more probe, which took so long with the pause before it. */
export function silenceAfter(
  silentMs: number,
  { isFine, tookMs }: { readonly isFine: boolean; readonly tookMs: number },
): number {
  if (isFine) return 0;
  return tookMs > LONGEST_PROBE_MS ? silentMs : silentMs + tookMs;
}

/** By itself, glibc spreads a program's threads over eight arenas a core, each of which keeps what was freed in it. */
const FEW_ARENAS = { MALLOC_ARENA_MAX: "2" };
const READY_POLL_MS = 50;
const TRANSIENT_DELAY_MS = 250;
const HUNG_AFTER_MS = 30_000;
/** As long as a start is waited for: longer than a busy machine needs. */
const START_LIMIT_MS = 180_000;
// After so many failed starts, a program that was never healthy is given up.
const MAX_FAILED_STARTS = 5;

/** How to start a program once; prepared for each start, so that a restart can use other ports. */
export interface Launch extends Command {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** The user to run as; only root may set it. */
  readonly owner?: ProcessOwner | null;
}

export interface KeptProgramOptions {
  readonly name: string;
  readonly logPath: string;
  readonly pidFiles: PidFiles;
  readonly stopSignal: StopSignal;
  readonly launch: () => Promise<Launch>;
  readonly isReady: () => Promise<boolean>;
  /** Whether it reacts at all, ready or not; a program that stops reacting is ended, and so restarted. */
  readonly reacts?: () => Promise<boolean>;
  /** For how long it must not react; default: 30 s. */
  readonly hungAfterMs?: number;
  /** For how long it may not have reacted after its start; default: three minutes. */
  readonly startLimitMs?: number;
  /** Prints a line to the terminal: a crash, a restart. */
  readonly log: (line: string) => void;
  /** Matches errors that go away by themselves: the program is then restarted without backoff and without a line. */
  readonly transient?: RegExp;
}

/** A program that is restarted, with backoff, whenever it dies or hangs, until `stop`. */
export class KeptProgram {
  readonly name: string;
  readonly logPath: string;
  readonly #options: KeptProgramOptions;
  #child: ChildProcess | null = null;
  #keeping: Promise<void> | null = null;
  #wanted = new AbortController();
  #isReady = false;
  #isPaused = false;
  #readyAt: number | null = null;
  #deaths = 0;
  #wasReady = false;
  #logStart = 0;

  constructor(options: KeptProgramOptions) {
    this.#options = options;
    this.name = options.name;
    this.logPath = options.logPath;
    this.#wanted.abort();
  }

  /** The process id; null while it does not run. */
  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** How often it has died, without stops. */
  get deaths(): number {
    return this.#deaths;
  }

  /** Starts it; does nothing if it was started already. */
  start(): void {
    if (this.#keeping !== null) return;
    this.#wanted = new AbortController();
    this.#keeping = this.#keep(this.#wanted.signal).finally(() => {
      this.#keeping = null;
    });
  }

  /**
   * Resolves once it is healthy.
   * @throws `stack_failed` with its last error after the timeout, or when it has died five times without being healthy
   */
  async whenReady(timeoutMs: number, signal?: AbortSignal): Promise<void> {
    const isHopeless = (): boolean => !this.#wasReady && this.#deaths >= MAX_FAILED_STARTS;
    try {
      await until(() => this.isReady || isHopeless(), {
        timeoutMs,
        what: `${this.name} to be ready`,
        everyMs: 20,
        ...(signal === undefined ? {} : { signal }),
      });
      if (this.isReady) return;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
    const error = lastError(this.logPath, this.#logStart);
    const reason = error === "" ? "" : ` Its last error: ${error}`;
    throw new AppError(
      "stack_failed",
      `${this.name} did not become healthy: see ${this.logPath}.${reason}`,
    );
  }

  /** Kills the process as a crash would; it is restarted, and `whenReady` waits for that. */
  kill(signal: NodeJS.Signals = "SIGKILL"): void {
    this.#isReady = false;
    if (this.pid !== null) signalProcess(this.pid, signal);
  }

  /** Freezes the process group until `resume`, as a long pause of the machine would. */
  pause(): void {
    this.#isPaused = true;
    if (this.pid !== null) signalGroup(this.pid, "SIGSTOP");
  }

  resume(): void {
    this.#isPaused = false;
    if (this.pid !== null) signalGroup(this.pid, "SIGCONT");
  }

  /** Stops it: by its stop signal, and by SIGKILL after `graceMs`; 0 kills at once. */
  async stop(graceMs: number): Promise<void> {
    const keeping = this.#keeping;
    this.#wanted.abort();
    if (keeping === null) return;
    if (this.pid !== null && graceMs > 0) {
      signalProcess(this.pid, this.#options.stopSignal);
      this.resume();
    }
    const force = setTimeout(() => {
      if (this.pid !== null) signalGroup(this.pid, "SIGKILL");
    }, graceMs);
    await keeping;
    clearTimeout(force);
  }

  async #keep(wanted: AbortSignal): Promise<void> {
    const backoff = new Backoff();
    const isOver = () => wanted.aborted;
    while (!isOver()) {
      const ending = await this.#runOnce(wanted);
      if (isOver()) return;
      const delayMs = this.#delayAfter(ending, backoff);
      await pause(delayMs, undefined, { signal: wanted }).catch(() => undefined);
    }
  }

  #delayAfter(ending: string, backoff: Backoff): number {
    if (this.#options.transient?.test(ending) === true) return TRANSIENT_DELAY_MS;
    this.#deaths += 1;
    const healthyMs = this.#readyAt === null ? 0 : performance.now() - this.#readyAt;
    this.#readyAt = null;
    const delayMs = backoff.delayAfter(healthyMs);
    this.#options.log(`${this.name} ${ending}; restarting it in ${delayMs} ms`);
    return delayMs;
  }

  /** Runs it once; returns how it ended, as the rest of a sentence. */
  async #runOnce(wanted: AbortSignal): Promise<string> {
    try {
      const launch = await this.#options.launch();
      // A stop that comes during the preparations has no process to signal yet.
      return wanted.aborted ? "was stopped" : await this.#live(launch);
    } catch (error) {
      return `could not be started (${error instanceof Error ? error.message : String(error)})`;
    }
  }

  async #live(launch: Launch): Promise<string> {
    const { name, pidFiles, stopSignal } = this.#options;
    const child = this.#spawn(launch);
    const ended = new Promise<string>((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", (code, signal) => {
        const how = signal === null ? `ended with code ${code ?? "?"}` : `was ended by ${signal}`;
        const hasError = code !== 0 && signal !== "SIGKILL";
        const error = hasError ? lastError(this.logPath, this.#logStart) : "";
        resolve(error === "" ? how : `${how} (${error})`);
      });
    });
    const { pid } = child;
    if (pid === undefined) return ended;
    this.#child = child;
    this.#isPaused = false;
    const over = new AbortController();
    const watching = [
      this.#watchReadiness(over.signal),
      this.#endIfHung(pid, over.signal),
      this.#rotateLog(over.signal),
    ];
    try {
      // Without its file the next start could not end it.
      pidFiles.write(name, pid, stopSignal);
      return await ended;
    } finally {
      over.abort();
      this.#isReady = false;
      this.#child = null;
      this.#leaveNothing(child, pid);
      await ended.catch(() => undefined);
      pidFiles.remove(name);
      await Promise.all(watching);
    }
  }

  #spawn({ command, args, env, cwd, owner }: Launch): ChildProcess {
    const log = openLog(this.logPath);
    this.#logStart = logSize(this.logPath);
    try {
      const child = spawn(command, args, {
        env: { ...FEW_ARENAS, ...env },
        detached: true,
        stdio: ["pipe", log, log],
        ...(cwd === undefined ? {} : { cwd }),
        ...owner,
      });
      // The pipe only shows the child that this process is alive; writing fails when the child ends first.
      child.stdin?.on("error", () => undefined);
      return child;
    } finally {
      closeSync(log);
    }
  }

  /** Ends the watcher of a program that has ended, and all processes that the program started. */
  #leaveNothing(child: ChildProcess, pid: number): void {
    child.stdin?.end("\n");
    signalGroup(pid, "SIGKILL");
  }

  async #watchReadiness(over: AbortSignal): Promise<void> {
    const isOver = () => over.aborted;
    while (!isOver()) {
      if (await this.#options.isReady().catch(() => false)) {
        // The process that answered may have died since.
        if (isOver()) return;
        this.#isReady = true;
        this.#wasReady = true;
        this.#readyAt = performance.now();
        return;
      }
      await pause(READY_POLL_MS, undefined, { signal: over }).catch(() => undefined);
    }
  }

  async #endIfHung(pid: number, over: AbortSignal): Promise<void> {
    const { name, log, reacts } = this.#options;
    const { hungAfterMs = HUNG_AFTER_MS, startLimitMs = START_LIMIT_MS } = this.#options;
    if (reacts === undefined) return;
    const watch = {
      reacts,
      hasReacted: () => this.#isReady,
      mayBeSilent: () => this.#isPaused || this.#wanted.signal.aborted,
      hungAfterMs,
      startLimitMs,
    };
    if (!(await hangs(watch, over))) return;
    const silentMs = this.#isReady ? hungAfterMs : startLimitMs;
    log(`${name} has not answered for ${silentMs / 1_000} s; ending it`);
    signalGroup(pid, "SIGKILL");
  }

  #rotateLog(over: AbortSignal): Promise<void> {
    const onFault = (error: unknown): void =>
      this.#options.log(`the log of ${this.name} cannot be rotated: ${String(error)}`);
    return keepLogSmall({ path: this.logPath, onFault }, over);
  }
}
