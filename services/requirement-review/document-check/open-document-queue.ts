import type { Bus } from "../../messages/bus/bus.ts";
import type { FileStore } from "../../platform/files/file-store.ts";
import type { SecretBox } from "../../platform/secret-box.ts";
import type { RequirementReviewConfig } from "../config.ts";
import { readingQueue } from "../document-reading/reading-queue.ts";
import { scanQueue } from "../document-scan/scan-queue.ts";
import { createScanner, type Scanner } from "../document-scan/scanner.ts";
import { queueScansOfOpenCases } from "../document-scan/store/document-scans.ts";
import { checkQueue } from "./check-queue.ts";
import { DocumentQueue } from "./document-queue.ts";
import { createWarmWorker } from "./warm-worker.ts";

/** One account's files occupy one of them at most. */
const DOCUMENT_WORKERS = 2;

/** The configured virus scanner; null without one. Documents that were uploaded before there was one are queued. */
export async function openScanner(
  { pool, clock, log }: Bus,
  { CLAMD_URL: url, CLAMD_TIMEOUT: timeoutMs }: RequirementReviewConfig,
): Promise<Scanner | null> {
  if (url === undefined) return null;
  await queueScansOfOpenCases(pool, clock.now());
  const onFailure = (reason: string): void =>
    log.warn({ reason }, "the virus scanner is unavailable: documents wait for it");
  return createScanner({ url, timeoutMs, clock, onFailure });
}

export interface DocumentQueueParts {
  readonly files: FileStore;
  readonly box: SecretBox;
  readonly scanner: Scanner | null;
  readonly config: RequirementReviewConfig;
}

/** Starts to check uploads, to scan those that could not be, and to read the documents of opened cases. */
export function openDocumentQueue(
  bus: Bus,
  { files, box, scanner, config }: DocumentQueueParts,
): DocumentQueue {
  const giveUpMs = config.DOCUMENT_CHECK_GIVE_UP;
  return new DocumentQueue(bus, {
    workers: Array.from({ length: DOCUMENT_WORKERS }, () => createWarmWorker()),
    sources: [
      checkQueue(bus, { files, giveUpMs, scanner }),
      readingQueue(bus, { files, box, giveUpMs, isScanned: scanner !== null }),
      ...(scanner === null ? [] : [scanQueue(bus, { files, scanner })]),
    ],
  });
}
