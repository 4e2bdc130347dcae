import { readFile, stat } from "node:fs/promises";
import { parentPort } from "node:worker_threads";

/** An upload is at most 20 MiB; a larger file in the store could exceed the worker's memory. */
const MAX_BYTES = 32 * 1024 * 1024;

/** It is not about the file: the job may be tried again. */
export interface Unavailable {
  readonly kind: "unavailable";
  readonly reason: string;
}

export interface FileJob {
  readonly path: string;
}

type FileBytes = Buffer | "too_large";

/** The script of a `JobProcess` that opens files of strangers: answers each job with what it finds in the file's bytes. */
export function answerFileJobs(answer: (bytes: FileBytes, job: never) => unknown): void {
  const port = parentPort;
  if (port === null) throw new TypeError("this file runs as a worker only");
  // What decoders say of a file is not for the service's log: it may quote the file.
  for (const level of ["log", "info", "warn", "error"] as const) console[level] = () => undefined;
  const answerOne = async (job: FileJob): Promise<unknown> => {
    const bytes = await bytesOf(job.path);
    const isRead = Buffer.isBuffer(bytes) || bytes === "too_large";
    // The parent sends the script's own kind of jobs.
    return isRead ? answer(bytes, job as never) : bytes;
  };
  port.on("message", (job: FileJob) => {
    void answerOne(job).then((answered) => port.postMessage(answered));
  });
  port.postMessage("ready");
}

async function bytesOf(path: string): Promise<FileBytes | Unavailable> {
  try {
    return (await stat(path)).size > MAX_BYTES ? "too_large" : await readFile(path);
  } catch (error) {
    return { kind: "unavailable", reason: error instanceof Error ? error.message : "unknown" };
  }
}
