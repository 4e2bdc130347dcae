import { Worker } from "node:worker_threads";
import { errorCodeOf } from "../../platform/error-code.ts";
import { unreadable } from "./check-result.ts";
import type { WorkerAnswer } from "./check-worker.ts";

/** The result of a file's check; `unavailable` is not about the file: the check may be retried. */
export type CheckAnswer = Exclude<WorkerAnswer, { readonly kind: "ready" }>;

export interface WarmWorkerOptions {
  /** The built worker. */
  readonly url: URL;
  /** Time limit for one file, once the worker is ready. */
  readonly deadlineMs: number;
  /** How much the process's memory may grow while a file is open, buffers outside the heap included. */
  readonly memoryMb: number;
  /** A new worker is started after this many files, because the parser keeps memory of each. */
  readonly filesPerWorker: number;
}

export const WARM_WORKER: WarmWorkerOptions = {
  url: new URL("./check-worker.js", import.meta.url),
  deadlineMs: 10_000,
  memoryMb: 512,
  filesPerWorker: 100,
};

const HEAP_MB = 256;
const READY_MS = 20_000;
const MEMORY_POLL_MS = 20;
const MB = 1024 * 1024;

/** One worker thread that checks files, started at the first one; callers wait for each answer before the next call. */
export interface WarmWorker {
  check(path: string): Promise<CheckAnswer>;
  /** Ends a running check as `unavailable`. */
  stop(): Promise<void>;
}

export function createWarmWorker(options: WarmWorkerOptions = WARM_WORKER): WarmWorker {
  let worker: Worker | null = null;
  let left = 0;

  const start = async (): Promise<Worker | null> => {
    const limits = { maxOldGenerationSizeMb: HEAP_MB };
    const started = new Worker(options.url, { resourceLimits: limits });
    // An error outside of a check ends the worker, not the process.
    started.on("error", () => undefined);
    started.once("exit", () => {
      if (worker === started) worker = null;
    });
    worker = started;
    left = options.filesPerWorker;
    const ready = await nextOf(started, { deadlineMs: READY_MS, memoryMb: Infinity });
    return ready.kind === "ready" ? started : null;
  };

  const end = async (): Promise<void> => {
    const ended = worker;
    worker = null;
    await ended?.terminate();
  };

  return {
    check: async (path) => {
      const running = worker ?? (await start());
      if (running === null) {
        await end();
        return { kind: "unavailable", reason: "the worker did not start" };
      }
      left -= 1;
      const answered = nextOf(running, options);
      running.postMessage(path);
      const answer = await answered;
      if (answer.kind === "ended" || left <= 0) await end();
      return toAnswer(answer);
    },
    stop: end,
  };
}

type Next = WorkerAnswer | { readonly kind: "ended"; readonly why: "late" | "memory" | "crash" };

function toAnswer(next: Next): CheckAnswer {
  if (next.kind === "checked" || next.kind === "unavailable") return next;
  if (next.kind === "ready") return { kind: "unavailable", reason: "the worker restarted" };
  if (next.why === "crash") return { kind: "unavailable", reason: "the worker ended" };
  const why = next.why === "late" ? "took too long" : "needed too much memory";
  return { kind: "checked", result: unreadable(`The file ${why} to be opened.`) };
}

/** The worker's next message, or why it ended. The worker limits its own heap, but not buffers outside it. */
function nextOf(
  worker: Worker,
  { deadlineMs, memoryMb }: Pick<WarmWorkerOptions, "deadlineMs" | "memoryMb">,
): Promise<Next> {
  const before = process.memoryUsage.rss();
  return new Promise((resolve) => {
    const onMessage = (answer: WorkerAnswer): void => settle(answer);
    const onExit = (): void => settle({ kind: "ended", why: "crash" });
    const onError = (error: Error): void => {
      const isMemory = errorCodeOf(error) === "ERR_WORKER_OUT_OF_MEMORY";
      settle({ kind: "ended", why: isMemory ? "memory" : "crash" });
    };
    const late = setTimeout(() => settle({ kind: "ended", why: "late" }), deadlineMs);
    const watch = setInterval(() => {
      const grown = process.memoryUsage.rss() - before;
      if (grown > memoryMb * MB) settle({ kind: "ended", why: "memory" });
    }, MEMORY_POLL_MS);
    const settle = (next: Next): void => {
      clearTimeout(late);
      clearInterval(watch);
      worker.off("message", onMessage).off("exit", onExit).off("error", onError);
      resolve(next);
    };
    worker.on("message", onMessage).on("exit", onExit).on("error", onError);
  });
}
