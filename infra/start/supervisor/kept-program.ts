import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { closeSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { AppError } from "../../../services/platform/errors.ts";
import { Backoff } from "./backoff.ts";
import { lastWords, logSize, openLog } from "./log-file.ts";
import type { PidFiles, StopSignal } from "./pid-files.ts";
import { signalGroup, signalProcess } from "./signals.ts";
import { until } from "./until.ts";
import type { Command } from "./watched-command.ts";

const READY_POLL_MS = 50;
const PASSING_DELAY_MS = 250;
// A program that has never been healthy will not become so by a further try.
const VAIN_STARTS = 5;

/** One start of a program, made afresh at each (re)start so that it can take other ports. */
export interface Launch extends Command {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** Run as this user (only root may ask for it). */
  readonly owner?: { readonly uid: number; readonly gid: number };
}

export interface KeptProgramOptions {
  readonly name: string;
  readonly logPath: string;
  readonly pidFiles: PidFiles;
  readonly stopSignal: StopSignal;
  readonly launch: () => Promise<Launch>;
  readonly isReady: () => Promise<boolean>;
  /** One line for the terminal: a death, a restart. */
  readonly log: (line: string) => void;
  /** Last words of a death that waiting alone mends: tried again steadily and without a line. */
  readonly passing?: RegExp;
}

/** A program that is started again, with backoff, whenever it dies, until it is told to stop. */
export class KeptProgram {
  readonly name: string;
  readonly logPath: string;
  readonly #options: KeptProgramOptions;
  #child: ChildProcess | null = null;
  #keeping: Promise<void> | null = null;
  #wanted = new AbortController();
  #isReady = false;
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

  /** The process id, null while it does not run. */
  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** How often it has died without being told to stop. */
  get deaths(): number {
    return this.#deaths;
  }

  /** Begins to keep it running; does nothing when that is so already. */
  start(): void {
    if (this.#keeping !== null) return;
    this.#wanted = new AbortController();
    this.#keeping = this.#keep(this.#wanted.signal).finally(() => {
      this.#keeping = null;
    });
  }

  /**
   * Resolves once it is healthy; throws `stack_failed` with its last words when the time is over, or when it has
   * died five times and was never healthy.
   */
  async whenReady(timeoutMs: number, signal?: AbortSignal): Promise<void> {
    const what = `${this.name} to be ready`;
    try {
      const options = { timeoutMs, what, everyMs: 20 };
      const over = () => this.isReady || (!this.#wasReady && this.#deaths >= VAIN_STARTS);
      await until(over, signal === undefined ? options : { ...options, signal });
      if (this.isReady) return;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
    const words = lastWords(this.logPath, this.#logStart);
    const said = words === "" ? "" : ` It said: ${words}`;
    throw new AppError(
      "stack_failed",
      `${this.name} does not become healthy: see ${this.logPath}.${said}`,
    );
  }

  /** Kills the process as a crash would; it is started again, and `whenReady` waits for that. */
  kill(signal: NodeJS.Signals = "SIGKILL"): void {
    this.#isReady = false;
    if (this.pid !== null) signalProcess(this.pid, signal);
  }

  /** Freezes and thaws the whole group, as a long pause of the machine would. */
  pause(): void {
    if (this.pid !== null) signalGroup(this.pid, "SIGSTOP");
  }

  resume(): void {
    if (this.pid !== null) signalGroup(this.pid, "SIGCONT");
  }

  /** Stops it for good: its own way first, by force when `graceMs` is over. 0 forces at once. */
  async stop(graceMs: number): Promise<void> {
    const keeping = this.#keeping;
    this.#wanted.abort();
    if (keeping === null) return;
    const pid = this.pid;
    if (pid !== null && graceMs > 0) {
      signalProcess(pid, this.#options.stopSignal);
      this.resume();
    }
    const grace = new AbortController();
    const forced = pause(graceMs, undefined, { signal: grace.signal }).then(
      () => this.#force(),
      () => undefined,
    );
    await keeping;
    grace.abort();
    await forced;
  }

  #force(): void {
    if (this.pid !== null) signalGroup(this.pid, "SIGKILL");
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
    if (this.#options.passing?.test(ending) === true) return PASSING_DELAY_MS;
    this.#deaths += 1;
    const healthyMs = this.#readyAt === null ? 0 : performance.now() - this.#readyAt;
    this.#readyAt = null;
    const delayMs = backoff.delayAfter(healthyMs);
    this.#options.log(`${this.name} ${ending}; starting it again in ${delayMs} ms`);
    return delayMs;
  }

  /** One life; returns how it ended, as the rest of a sentence. */
  async #runOnce(wanted: AbortSignal): Promise<string> {
    try {
      const launch = await this.#options.launch();
      // A stop that came during the preparations had no process to signal yet.
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
        const words =
          code === 0 || signal === "SIGKILL" ? "" : lastWords(this.logPath, this.#logStart);
        const how = signal === null ? `ended with code ${code ?? "?"}` : `was ended by ${signal}`;
        resolve(words === "" ? how : `${how} (${words})`);
      });
    });
    const { pid } = child;
    if (pid === undefined) return ended;
    this.#child = child;
    pidFiles.write(name, pid, stopSignal);
    const over = new AbortController();
    const watching = this.#watchReadiness(over.signal);
    try {
      return await ended;
    } finally {
      over.abort();
      this.#isReady = false;
      this.#child = null;
      this.#leaveNothing(child, pid);
      pidFiles.remove(name);
      await watching;
    }
  }

  #spawn({ command, args, env, cwd, owner }: Launch): ChildProcess {
    const log = openLog(this.logPath);
    this.#logStart = logSize(this.logPath);
    try {
      const child = spawn(command, args, {
        env,
        detached: true,
        stdio: ["pipe", log, log],
        ...(cwd === undefined ? {} : { cwd }),
        ...owner,
      });
      // The pipe only tells the child that we live; it breaks when the child goes first.
      child.stdin?.on("error", () => undefined);
      return child;
    } finally {
      closeSync(log);
    }
  }

  /** The watcher is told that its program is over; whatever the program started itself ends with it. */
  #leaveNothing(child: ChildProcess, pid: number): void {
    child.stdin?.end("\n");
    signalGroup(pid, "SIGKILL");
  }

  async #watchReadiness(over: AbortSignal): Promise<void> {
    const isOver = () => over.aborted;
    while (!isOver()) {
      if (await this.#options.isReady().catch(() => false)) {
        // A late answer of a process that has died since counts for nothing.
        if (isOver()) return;
        this.#isReady = true;
        this.#wasReady = true;
        this.#readyAt = performance.now();
        return;
      }
      await pause(READY_POLL_MS, undefined, { signal: over }).catch(() => undefined);
    }
  }
}
