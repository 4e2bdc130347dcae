import { JobFailed, JobProcess, type JobEnd } from "../../platform/jobs/job-process.ts";
import type { Unavailable } from "../../platform/jobs/answer-file-jobs.ts";
import type { DocumentReading } from "../document-reading/read-document.ts";
import type { Wanted } from "../document-reading/rules/find-values.ts";
import { tooComplex, type CheckResult } from "../../domain/document/rules/check-result.ts";

/** What is done with a file. */
export type DocumentJob =
  | { readonly kind: "check"; readonly path: string }
  | { readonly kind: "read"; readonly path: string; readonly wanted: readonly Wanted[] };

export type CheckAnswer = { readonly kind: "checked"; readonly result: CheckResult } | Unavailable;

/** `reading` is null where the file cannot be read, within its limits. */
export type ReadAnswer =
  | { readonly kind: "read"; readonly reading: DocumentReading | null }
  | Unavailable;

export type DocumentAnswer = CheckAnswer | ReadAnswer;

export interface WarmWorkerOptions {
  /** The worker. */
  readonly url: URL;
  /** Time limit for one file, once the worker is ready. */
  readonly deadlineMs: number;
  /** How much the worker's memory may grow while a file is open, buffers outside the heap included. */
  readonly memoryMb: number;
  /** A new worker is started once it has kept this much of the files that it opened. */
  readonly recycleAboveMb: number;
  /** The job-host. */
  readonly host?: URL;
}

const WARM_WORKER: WarmWorkerOptions = {
  url: new URL("./check-worker.ts", import.meta.url),
  deadlineMs: 10_000,
  memoryMb: 512,
  recycleAboveMb: 192,
};

const HEAP_MB = 256;

/** One process that opens files, started at the first one; callers wait for each answer before the next call. */
export interface WarmWorker {
  check(path: string): Promise<CheckAnswer>;
  /** Looks for values in a file's text. */
  read(path: string, wanted: readonly Wanted[]): Promise<ReadAnswer>;
  /** Ends a running job as `unavailable`. */
  stop(): void;
}

export function createWarmWorker(options: WarmWorkerOptions = WARM_WORKER): WarmWorker {
  const { url: script, deadlineMs: jobMs, memoryMb, recycleAboveMb, host } = options;
  const limits = { script, jobMs, heapMb: HEAP_MB, memoryMb, recycleAboveMb };
  const process = new JobProcess<DocumentJob, DocumentAnswer>(
    host === undefined ? limits : { ...limits, host },
  );
  const run = async <A extends DocumentAnswer>(
    job: DocumentJob,
    overLimit: (why: "late" | "memory") => A,
  ): Promise<A | Unavailable> => {
    try {
      return (await process.run(job)) as A;
    } catch (error) {
      if (!(error instanceof JobFailed)) throw error;
      return error.why === "crash" ? CRASHED : overLimit(error.why);
    }
  };
  return {
    check: (path) => run<CheckAnswer>({ kind: "check", path }, overLimitOf),
    read: (path, wanted) =>
      run<ReadAnswer>({ kind: "read", path, wanted }, () => ({ kind: "read", reading: null })),
    stop: () => process.stop(),
  };
}

const CRASHED: Unavailable = { kind: "unavailable", reason: "the worker ended" };

function overLimitOf(why: Exclude<JobEnd, "crash">): CheckAnswer {
  const cause = why === "late" ? "took too long" : "needed too much memory";
  return { kind: "checked", result: tooComplex(`The file ${cause} to be opened.`) };
}
