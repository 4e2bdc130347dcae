import { Worker } from "node:worker_threads";
import { AppError } from "./errors.ts";

export interface JobThreadOptions<Answer> {
  /** A program that answers each message with one message, in order. */
  readonly script: URL;
  /** The most waiting jobs; further ones are refused as `unavailable`. */
  readonly maxWaiting: number;
  /** A job that takes longer terminates its thread. */
  readonly jobMs: number;
  readonly memoryMb: number;
  /** Converts a message of the program; must not throw. */
  readonly read: (message: unknown) => Answer;
}

interface Task<Job, Answer> {
  readonly job: Job;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: AppError) => void;
}

function unavailable(detail: string): AppError {
  return new AppError("unavailable", detail, { retryable: true });
}

/**
 * A thread that is started at the first job and kept, so that long work stays off the event loop. It runs
 * one job at a time; a failed thread is replaced at the next job and does not affect the process.
 */
export class JobThread<Job, Answer> {
  readonly #options: JobThreadOptions<Answer>;
  readonly #waiting: Task<Job, Answer>[] = [];
  #thread: Worker | null = null;
  #running: { readonly task: Task<Job, Answer>; readonly timer: NodeJS.Timeout } | null = null;

  constructor(options: JobThreadOptions<Answer>) {
    this.#options = options;
  }

  /**
   * Rejects with `unavailable` if too many jobs wait or the job takes too long, `internal` if the program
   * fails.
   */
  run(job: Job): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length >= this.#options.maxWaiting) {
        reject(unavailable("Too many jobs are waiting. Try again."));
        return;
      }
      this.#waiting.push({ job, resolve, reject });
      this.#next();
    });
  }

  async stop(): Promise<void> {
    const stopped = this.#thread;
    this.#thread = null;
    const gone = unavailable("The service is stopping.");
    for (const task of this.#waiting.splice(0)) task.reject(gone);
    this.#settle((task) => task.reject(gone));
    await stopped?.terminate();
  }

  #next(): void {
    const task = this.#running === null ? this.#waiting.shift() : undefined;
    if (task === undefined) return;
    const late = unavailable("The job took too long.");
    const timer = setTimeout(() => this.#giveUp(late), this.#options.jobMs);
    this.#running = { task, timer };
    this.#thread ??= this.#open();
    this.#thread.postMessage(task.job);
  }

  #open(): Worker {
    const { script, memoryMb, read } = this.#options;
    const thread = new Worker(script, { resourceLimits: { maxOldGenerationSizeMb: memoryMb } });
    // Events of an abandoned thread must not affect the job of its successor.
    const ifCurrent = (act: () => void): void => {
      if (this.#thread === thread) act();
    };
    const fail = (cause: unknown): void =>
      ifCurrent(() => this.#giveUp(new AppError("internal", "A job thread failed.", { cause })));
    thread.on("message", (message: unknown) =>
      ifCurrent(() => this.#settle((task) => task.resolve(read(message)))),
    );
    thread.on("error", fail);
    thread.on("exit", fail);
    return thread;
  }

  #giveUp(error: AppError): void {
    const failed = this.#thread;
    this.#thread = null;
    void failed?.terminate();
    this.#settle((task) => task.reject(error));
  }

  #settle(act: (task: Task<Job, Answer>) => void): void {
    if (this.#running === null) return;
    const { task, timer } = this.#running;
    clearTimeout(timer);
    this.#running = null;
    act(task);
    this.#next();
  }
}
