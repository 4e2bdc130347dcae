import { unreadable, type CheckResult } from "../../domain/document/rules/check-result.ts";
import type { Bus } from "../../messages/bus/bus.ts";
import type { FileStore } from "../../platform/files/file-store.ts";
import type { SecretBox } from "../../platform/secret-box.ts";
import type { RequirementReviewConfig } from "../config.ts";
import { readingQueue } from "../document-reading/reading-queue.ts";
import {
  createScanner,
  INFECTED,
  scanQueue,
  type Scan,
  type Scanner,
} from "../document-scan/scan-queue.ts";
import { queueScansOfOpenCases, recordScan } from "../document-scan/store.ts";
import {
  DocumentQueue,
  isLost,
  publishResult,
  retryAt,
  unavailable,
  type DocumentTask,
  type TaskSource,
} from "./document-queue.ts";
import { finishCheck, postponeCheck, takeCheck, type TakenCheck } from "./store.ts";
import { createWarmWorker, type CheckAnswer, type WarmWorker } from "./warm-worker.ts";

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

export interface CheckOptions {
  readonly files: Pick<FileStore, "lend">;
  /** How long reading a file is retried before its check fails. */
  readonly giveUpMs: number;
  /** Null where documents are not scanned for viruses. */
  readonly scanner: Scanner | null;
}

/** What was found about a document, and by the scanner, if it was asked. */
interface Checked {
  readonly result: CheckResult;
  readonly scan: Scan | null;
}

/** The documents that customers have uploaded and that are to be checked. */
function checkQueue(bus: Bus, options: CheckOptions): TaskSource {
  return {
    work: "check",
    take: async (takeOptions) => {
      const { taken, more } = await takeCheck(bus.pool, takeOptions);
      return { taken: taken === null ? null : taskOf(bus, options, taken), more };
    },
  };
}

function taskOf(bus: Bus, options: CheckOptions, check: TakenCheck): DocumentTask {
  return {
    accountId: check.account_id,
    run: async (worker) => {
      const checked = await checkOne(bus, options, { worker, check });
      if (checked !== null) return () => finish(bus, check, checked);
      return () => postponeCheck(bus.pool, check, retryAt(check, bus.clock.now()));
    },
  };
}

interface CheckWork {
  readonly worker: WarmWorker;
  readonly check: TakenCheck;
}

/** The result of a document's check; null where it must be retried. */
async function checkOne(
  { clock, log }: Bus,
  { files, giveUpMs, scanner }: CheckOptions,
  { worker, check }: CheckWork,
): Promise<Checked | null> {
  if (isLost(check, clock.now(), giveUpMs)) {
    return { result: unreadable("The file could not be read. Upload it again."), scan: null };
  }
  const look = async (path: string): Promise<CheckAnswer & { scan?: Scan | null }> => {
    const answer = await worker.check(path);
    const isGood = answer.kind === "checked" && answer.result.passed;
    return { ...answer, scan: isGood && scanner !== null ? await scanner.scan(path) : null };
  };
  const answer = await files.lend(check.document_id, look).catch(unavailable);
  if (answer.kind === "checked") {
    const scan = answer.scan ?? null;
    return { result: scan?.kind === "infected" ? INFECTED : answer.result, scan };
  }
  const { order_id, document_id, tries } = check;
  const fields = { order_id, document_id, tries, reason: answer.reason };
  log.warn(fields, "a document cannot be read and is retried");
  return null;
}

/** Dequeues the document, with its scan and its result; nothing happens where another process has it now. */
async function finish(bus: Bus, check: TakenCheck, { result, scan }: Checked): Promise<void> {
  const now = bus.clock.now();
  await publishResult(bus, { address: check, result }, async (tx) => {
    if (!(await finishCheck(tx, check))) return false;
    if (scan !== null) await recordScan(tx, check, { scan, now });
    return true;
  });
}
