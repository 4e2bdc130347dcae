import { JobFailed, JobProcess, type JobEnd } from "../../platform/job-process.ts";
import { tooComplex, type CheckResult } from "./check-result.ts";

/** The result of a file's check; `unavailable` is not about the file: the check may be retried. */
export type CheckAnswer =
  | { readonly kind: "checked"; readonly result: CheckResult }
  | { readonly kind: "unavailable"; readonly reason: string };

export interface WarmWorkerOptions {
  /** The built worker. */
  readonly url: URL;
  /** Time limit for one file, once the worker is ready. */
  readonly deadlineMs: number;
  /** How much the worker's memory may grow while a file is open, buffers outside the heap included. */
  readonly memoryMb: number;
  /** A new worker is started after this many files, because the parser keeps memory of each. */
  readonly filesPerWorker: number;
  /** The built job-host. */
  readonly host?: URL;
}

export const WARM_WORKER: WarmWorkerOptions = {
  url: new URL("./check-worker.js", import.meta.url),
  deadlineMs: 10_000,
  memoryMb: 512,
  filesPerWorker: 100,
};

const HEAP_MB = 256;

/** One process that checks files, started at the first one; callers wait for each answer before the next call. */
export interface WarmWorker {
  check(path: string): Promise<CheckAnswer>;
  /** Ends a running check as `unavailable`. */
  stop(): void;
}

export function createWarmWorker(options: WarmWorkerOptions = WARM_WORKER): WarmWorker {
  const { url: script, deadlineMs: jobMs, memoryMb, filesPerWorker: maxJobs, host } = options;
  const limits = { script, jobMs, heapMb: HEAP_MB, memoryMb, maxJobs };
  const process = new JobProcess<string, CheckAnswer>(
    host === undefined ? limits : { ...limits, host },
  );
  return {
    check: (path) =>
      process.run(path).catch((error: unknown) => {
        if (error instanceof JobFailed) return answerFor(error.why);
        throw error;
      }),
    stop: () => process.stop(),
  };
}

function answerFor(why: JobEnd): CheckAnswer {
  if (why === "crash") return { kind: "unavailable", reason: "the worker ended" };
  const cause = why === "late" ? "took too long" : "needed too much memory";
  return { kind: "checked", result: tooComplex(`The file ${cause} to be opened.`) };
}
