import { fork, type ChildProcess } from "node:child_process";
import type { HostMessage } from "./job-host.ts";

/** Why a job ended without an answer: after its time, over its memory, or with its program. */
export type JobEnd = "late" | "memory" | "crash";

export class JobFailed extends Error {
  readonly why: JobEnd;

  constructor(why: JobEnd) {
    super(`a job ended: ${why}`);
    this.name = "JobFailed";
    this.why = why;
  }
}

interface JobProcessOptions {
  /** A program for a worker thread: it sends one message when it is ready, then one for each that it receives. */
  readonly script: URL;
  /** A job that takes longer ends its process. */
  readonly jobMs: number;
  /** Of the script's heap. */
  readonly heapMb: number;
  /** How much the process may grow during a job, buffers outside the heap included. */
  readonly memoryMb: number;
  /** A new process is started once one has grown this much since its start and kept it after a job. */
  readonly recycleAboveMb?: number;
  /** The job-host. */
  readonly host?: URL;
}

const READY_MS = 20_000;
const HOST = new URL("./job-host.ts", import.meta.url);

type Next = HostMessage | { readonly kind: "ended"; readonly why: JobEnd };

/**
 * A process for long or hostile work, started at the first job and kept: it blocks no event loop, has a limit of memory
 * of its own and none of our variables. A failed one is replaced at the next job.
 */
export class JobProcess<Job, Answer> {
  readonly #options: JobProcessOptions;
  #child: ChildProcess | null = null;
  #isRunning = false;

  constructor(options: JobProcessOptions) {
    this.#options = options;
  }

  /**
   * Runs a job; the caller waits for its end before it passes the next. Rejects with `JobFailed`.
   * @throws Error for a job beside another, whose answers could not be distinguished
   */
  async run(job: Job): Promise<Answer> {
    if (this.#isRunning) throw new Error("A job process runs one job at a time.");
    this.#isRunning = true;
    try {
      return await this.#run(job);
    } finally {
      this.#isRunning = false;
    }
  }

  async #run(job: Job): Promise<Answer> {
    const child = this.#child ?? (await this.#start());
    const answered = nextOf(child, this.#options.jobMs);
    child.send({ job });
    const next = await answered;
    if (next.kind !== "answer") {
      this.#end(child);
      throw new JobFailed(next.kind === "ended" ? next.why : "crash");
    }
    if (next.isLast) this.#end(child);
    return next.answer as Answer;
  }

  /** Ends a running job as a crash. */
  stop(): void {
    if (this.#child !== null) this.#end(this.#child);
  }

  async #start(): Promise<ChildProcess> {
    const { script, heapMb, memoryMb, recycleAboveMb = Infinity, host = HOST } = this.#options;
    const limits = [heapMb, memoryMb, recycleAboveMb].map(String);
    const child = fork(host, [script.href, ...limits], {
      env: {},
      serialization: "advanced",
    });
    this.#child = child;
    // An error outside of a job ends the process, and the next job starts another.
    child.on("error", () => undefined);
    child.once("exit", () => {
      if (this.#child === child) this.#child = null;
    });
    if ((await nextOf(child, READY_MS)).kind === "ready") return child;
    this.#end(child);
    throw new JobFailed("crash");
  }

  #end(child: ChildProcess): void {
    if (this.#child === child) this.#child = null;
    child.kill("SIGKILL");
  }
}

/** The process's next message, or why there will be none. */
function nextOf(child: ChildProcess, withinMs: number): Promise<Next> {
  return new Promise((resolve) => {
    const settle = (next: Next): void => {
      clearTimeout(late);
      child.off("message", onMessage).off("exit", onExit).off("error", onExit);
      resolve(next);
    };
    const onMessage = (message: unknown): void => settle(message as HostMessage);
    const onExit = (): void => settle({ kind: "ended", why: "crash" });
    const late = setTimeout(() => settle({ kind: "ended", why: "late" }), withinMs);
    child.on("message", onMessage).on("exit", onExit).on("error", onExit);
  });
}
