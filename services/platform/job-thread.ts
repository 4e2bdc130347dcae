import { Worker } from "node:worker_threads";
import { AppError } from "./errors.ts";

export interface JobThreadOptions<Answer> {
  /** A program that answers each message with one message, one after the other. */
  readonly script: URL;
  /** Jobs that may wait; one more is refused as `unavailable`. */
  readonly maxWaiting: number;
  /** A job that takes longer ends its thread. */
  readonly jobMs: number;
  readonly memoryMb: number;
  /** What a message of the program is; must not throw. */
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
 * A thread that is started at the first job and kept, so that work of many milliseconds stays off the event loop. One
 * job at a time; a thread that fails is replaced at the next job, and nothing of it reaches the process.
 */
export class JobThread<Job, Answer> {
  readonly #options: JobThreadOptions<Answer>;
  readonly #waiting: Task<Job, Answer>[] = [];
  #thread: Worker | null = null;
  #running: { readonly task: Task<Job, Answer>; readonly timer: NodeJS.Timeout } | null = null;

  constructor(options: JobThreadOptions<Answer>) {
    this.#options = options;
  }

  /** Rejects with `unavailable` where too much waits or the job takes too long, `internal` where the program fails. */
  run(job: Job): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length >= this.#options.maxWaiting) {
        reject(unavailable("Too much is being made at once. Try again."));
        return;
      }
      this.#waiting.push({ job, resolve, reject });
      this.#next();
    });
  }

  async stop(): Promise<void> {
    const stopped = this.#thread;
    this.#thread = null;
    const gone = unavailable("The service stops.");
    for (const task of this.#waiting.splice(0)) task.reject(gone);
    this.#settle((task) => task.reject(gone));
    await stopped?.terminate();
  }

  #next(): void {
    const task = this.#running === null ? this.#waiting.shift() : undefined;
    if (task === undefined) return;
    const late = unavailable("It took too long.");
    const timer = setTimeout(() => this.#giveUp(late), this.#options.jobMs);
    this.#running = { task, timer };
    this.#thread ??= this.#open();
    this.#thread.postMessage(task.job);
  }

  #open(): Worker {
    const { script, memoryMb, read } = this.#options;
    const thread = new Worker(script, { resourceLimits: { maxOldGenerationSizeMb: memoryMb } });
    // Words of a thread that was given up say nothing about the job of its successor.
    const heed = (act: () => void): void => {
      if (this.#thread === thread) act();
    };
    const fail = (cause: unknown): void =>
      heed(() => this.#giveUp(new AppError("internal", "A job thread failed.", { cause })));
    thread.on("message", (message: unknown) =>
      heed(() => this.#settle((task) => task.resolve(read(message)))),
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
