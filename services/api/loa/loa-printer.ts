import type { PrintAnswer, PrintJob } from "./letter/print-loa.ts";
import { JobThread } from "../../platform/job-thread.ts";

/** About 4 s of work at most, so that a queued request does not time out. */
const MAX_WAITING = 64;
const JOB_MS = 10_000;
const MEMORY_MB = 256;

export type LoaPrinter = Pick<JobThread<PrintJob, PrintAnswer>, "run" | "stop">;

/** Renders letters in a worker thread: one takes 30 to 150 ms of CPU, which would block every other request. */
export function createLoaPrinter(): LoaPrinter {
  return new JobThread<PrintJob, PrintAnswer>({
    // Always the compiled file: the service runs from its build.
    script: new URL("./loa-worker.js", import.meta.url),
    maxWaiting: MAX_WAITING,
    jobMs: JOB_MS,
    memoryMb: MEMORY_MB,
    read: (message) => readAnswer(message as PrintAnswer),
  });
}

/** A Buffer arrives from the thread as a plain Uint8Array. */
function readAnswer(answer: PrintAnswer): PrintAnswer {
  if (answer.kind === "bad_image") return answer;
  const { buffer, byteOffset, byteLength } = answer.pdf;
  return { ...answer, pdf: Buffer.from(buffer, byteOffset, byteLength) };
}
