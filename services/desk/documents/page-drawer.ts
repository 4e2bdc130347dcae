import { AppError } from "../../platform/errors.ts";
import { FairSlots, refusedAs } from "../../platform/fair-slots.ts";
import type { FileJob, Unavailable } from "../../platform/jobs/answer-file-jobs.ts";
import type { FileStore } from "../../platform/files/file-store.ts";
import { JobFailed, JobProcess } from "../../platform/jobs/job-process.ts";
import type { Drawing } from "./drawing/draw-tiff-page.ts";

/** A dense fax at 600 dpi takes some seconds. */
const DEADLINE_MS = 20_000;
const MAX_WAITING = 10;
/** Of the process that draws: it is replaced once it has kept much of the documents that it opened. */
const LIMITS = { jobMs: DEADLINE_MS, heapMb: 256, memoryMb: 512, recycleAboveMb: 192 };

export interface DrawJob extends FileJob {
  /** From 1. */
  readonly page: number;
}

export interface DrawnPage {
  readonly png: Buffer;
  /** How many pages the document has. */
  readonly pages: number;
}

/** Draws pages of documents for operators, one at a time, in a process of its own. */
export interface PageDrawer {
  /** @throws `not_found` without such a page, `invalid_parameter`, `rate_limited`, `unavailable` */
  draw(request: DrawRequest): Promise<DrawnPage>;
  stop(): Promise<void>;
}

export interface DrawRequest {
  readonly documentId: string;
  /** From 1. */
  readonly page: number;
  /** Operators take turns. */
  readonly operatorId: string;
}

export function createPageDrawer(files: Pick<FileStore, "lend">): PageDrawer {
  const script = new URL("./drawing/draw-worker.ts", import.meta.url);
  const process = new JobProcess<DrawJob, Drawing | Unavailable>({ script, ...LIMITS });
  const slots = new FairSlots({
    total: 1,
    perOwner: 1,
    maxWaiting: MAX_WAITING,
    maxWaitMs: DEADLINE_MS,
  });
  return {
    draw: async ({ documentId, page, operatorId }) => {
      const answer = await slots
        .run(operatorId, () => files.lend(documentId, (path) => answerOf(process, { path, page })))
        .catch(refusedAs("Other pages are being drawn. Try again."));
      switch (answer.kind) {
        case "drawn":
          // What another process sent is a plain array of bytes.
          return { png: Buffer.from(answer.png), pages: answer.pages };
        case "no_page":
          throw new AppError("not_found", `The document has no page ${page}, but ${answer.pages}.`);
        case "not_drawable":
          throw notDrawable("The document cannot be drawn: it is damaged, or too large.");
        case "unavailable":
          throw new AppError("unavailable", "The page could not be drawn. Try again.", {
            retryable: true,
            cause: new Error(answer.reason),
          });
      }
    },
    stop: () => {
      process.stop();
      return Promise.resolve();
    },
  };
}

async function answerOf(
  process: JobProcess<DrawJob, Drawing | Unavailable>,
  job: DrawJob,
): Promise<Drawing | Unavailable> {
  try {
    return await process.run(job);
  } catch (error) {
    if (!(error instanceof JobFailed)) throw error;
    if (error.why !== "crash") return { kind: "not_drawable" };
    return { kind: "unavailable", reason: "the process that draws ended" };
  }
}

/** `as=png` cannot be had of this document. */
export function notDrawable(detail: string): AppError {
  return new AppError("invalid_parameter", detail, {
    faults: [{ parameter: "as", code: "not_drawable", detail }],
  });
}
