import type { PrintAnswer, PrintJob } from "./letter/print-loa.ts";
import { AppError } from "../../platform/errors.ts";
import { FairSlots, NoSlot } from "../../platform/fair-slots.ts";
import { JobThread } from "../../platform/job-thread.ts";
import type { Preparing } from "../../platform/preparing.ts";

/** One thread renders, and accounts take turns at it; about 2 s of one account's work may wait. */
const SLOTS = { total: 1, perOwner: 1, maxWaiting: 32, maxWaitMs: 10_000 };
const JOB_MS = 10_000;
const MEMORY_MB = 256;

export interface LoaPrinter {
  /** Rejects with `rate_limited` where too many letters of the account wait, and as a `JobThread` does. */
  print(preparing: Preparing, job: PrintJob): Promise<PrintAnswer>;
  stop(): Promise<void>;
}

/** Renders letters in a worker thread: one takes 30 to 150 ms of CPU, which would block every other request. */
export function createLoaPrinter(): LoaPrinter {
  const slots = new FairSlots(SLOTS);
  const thread = new JobThread<PrintJob, PrintAnswer>({
    // Always the compiled file: the service runs from its build.
    script: new URL("./loa-worker.js", import.meta.url),
    maxWaiting: SLOTS.total,
    jobMs: JOB_MS,
    memoryMb: MEMORY_MB,
    read: (message) => readAnswer(message as PrintAnswer),
  });
  return {
    print: async ({ owner }, job) => {
      try {
        return await slots.run(owner, () => thread.run(job));
      } catch (error) {
        throw error instanceof NoSlot ? tooManyLetters() : error;
      }
    },
    stop: () => thread.stop(),
  };
}

function tooManyLetters(): AppError {
  const detail = "Too many letters of this account are being printed. Try again.";
  return new AppError("rate_limited", detail, { headers: { "Retry-After": "1" } });
}

/** A Buffer arrives from the thread as a plain Uint8Array. */
function readAnswer(answer: PrintAnswer): PrintAnswer {
  if (answer.kind === "bad_image") return answer;
  const { buffer, byteOffset, byteLength } = answer.pdf;
  return { ...answer, pdf: Buffer.from(buffer, byteOffset, byteLength) };
}
