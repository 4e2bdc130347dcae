import { AppError } from "../../platform/errors.ts";
import { FairSlots, refusedAs } from "../../platform/fair-slots.ts";
import { JobFailed, JobProcess } from "../../platform/jobs/job-process.ts";
import type { Preparing } from "../../platform/http/routing/preparing.ts";
import type { PrintAnswer, PrintJob } from "./letter/render-loa.ts";

/** Two processes render, and accounts take turns at them; about 2 s of one account's work may wait. */
const SLOTS = { total: 2, perOwner: 1, maxWaiting: 32, maxWaitMs: 10_000 };
const LIMITS = { jobMs: 10_000, heapMb: 256, memoryMb: 256 };

const tooManyLetters = refusedAs("Too many letters of this account are being printed. Try again.");

export interface LoaPrinter {
  /**
   * Rejects with `rate_limited` where too many letters of the account wait, `unavailable` where one takes too long, and
   * `internal` where rendering fails.
   */
  print(preparing: Preparing, job: PrintJob): Promise<PrintAnswer>;
  stop(): void;
}

/** Renders letters in processes of their own: one takes 10 to 150 ms of CPU, which would block every other request. */
export function createLoaPrinter(): LoaPrinter {
  const slots = new FairSlots(SLOTS);
  const script = new URL("./loa-worker.ts", import.meta.url);
  const printers = Array.from(
    { length: SLOTS.total },
    () => new JobProcess<PrintJob, PrintAnswer>({ script, ...LIMITS }),
  );
  // The one that was used last is used first, so that a further one starts only when it is needed.
  const idle = [...printers];
  const printNext = async (job: PrintJob): Promise<PrintAnswer> => {
    const printer = idle.pop();
    if (printer === undefined) throw new TypeError("a slot without a process");
    try {
      return readAnswer(await printer.run(job));
    } catch (error) {
      throw error instanceof JobFailed ? failureOf(error) : error;
    } finally {
      idle.push(printer);
    }
  };
  return {
    print: ({ owner }, job) => slots.run(owner, () => printNext(job)).catch(tooManyLetters),
    stop: () => {
      for (const printer of printers) printer.stop();
    },
  };
}

function failureOf(cause: JobFailed): AppError {
  return cause.why === "late"
    ? new AppError("unavailable", "The letter took too long.", { retryable: true, cause })
    : new AppError("internal", "The letter could not be rendered.", { cause });
}

/** A Buffer arrives from another thread as a plain Uint8Array. */
function readAnswer(answer: PrintAnswer): PrintAnswer {
  if (answer.kind === "bad_image") return answer;
  const { buffer, byteOffset, byteLength } = answer.pdf;
  return { ...answer, pdf: Buffer.from(buffer, byteOffset, byteLength) };
}
