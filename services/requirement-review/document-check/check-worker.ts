import { readFile, stat } from "node:fs/promises";
import { parentPort } from "node:worker_threads";
import { drawTiffPage } from "../../desk/documents/drawing/draw-tiff-page.ts";
import { readDocument } from "../document-reading/read-document.ts";
import { checkDocument } from "./check-document.ts";
import { tooComplex } from "../../domain/document/rules/check-result.ts";
import type { CheckAnswer, DocumentAnswer, DocumentJob, Unavailable } from "./warm-worker.ts";

/** Uploads are at most 20 MiB; a larger file in the store could exceed the worker's memory. */
const MAX_BYTES = 32 * 1024 * 1024;

async function bytesOf(path: string): Promise<Buffer | "too_large" | Unavailable> {
  try {
    return (await stat(path)).size > MAX_BYTES ? "too_large" : await readFile(path);
  } catch (error) {
    return { kind: "unavailable", reason: error instanceof Error ? error.message : "unknown" };
  }
}

async function answer(job: DocumentJob): Promise<DocumentAnswer> {
  const bytes = await bytesOf(job.path);
  if (!Buffer.isBuffer(bytes) && bytes !== "too_large") return bytes;
  switch (job.kind) {
    case "check":
      return check(bytes);
    case "read": {
      if (bytes === "too_large") return { kind: "read", reading: null };
      // A file that cannot be opened here has failed its check, or will.
      const reading = await readDocument(bytes, job.wanted).catch(() => null);
      return { kind: "read", reading };
    }
    case "draw":
      return bytes === "too_large" ? { kind: "not_drawable" } : drawTiffPage(bytes, job.page);
  }
}

async function check(bytes: Buffer | "too_large"): Promise<CheckAnswer> {
  const result =
    bytes === "too_large" ? tooComplex("The file is too large.") : await checkDocument(bytes);
  return { kind: "checked", result };
}

const port = parentPort;
if (port === null) throw new TypeError("this file runs as a worker only");

// What decoders say of a document is not for the service's log: it may quote the document.
for (const level of ["log", "info", "warn", "error"] as const) console[level] = () => undefined;

port.on("message", (job: DocumentJob) => {
  void answer(job).then((answered) => port.postMessage(answered));
});
port.postMessage("ready");
