import { readRequirementValues } from "../../domain/requirement/store/requirement-values.ts";
import type { Bus } from "../../messages/bus/bus.ts";
import { AppError } from "../../platform/errors.ts";
import type { FileStore } from "../../platform/files/file-store.ts";
import type { SecretBox } from "../../platform/secret-box.ts";
import {
  isLost,
  retryAt,
  unavailable,
  type Settle,
  type TaskSource,
} from "../document-check/document-queue.ts";
import type { ReadAnswer, WarmWorker } from "../document-check/warm-worker.ts";
import { queueScans } from "../document-scan/store.ts";
import { findValues, wantedIn } from "./rules/find-values.ts";
import {
  finishReadings,
  postponeReadings,
  takeReadings,
  type FinishedReading,
  type TakenReading,
} from "./store.ts";

export interface ReadingOptions {
  readonly files: Pick<FileStore, "lend">;
  /** Opens the values that are looked for. */
  readonly box: SecretBox;
  readonly giveUpMs: number;
  /** Whether a document that was never scanned for viruses, such as a signed letter, is to be now. */
  readonly isScanned: boolean;
}

/** The documents of opened cases, in which the order's values are looked for. Uploads' text is not kept. */
export function readingQueue(bus: Bus, options: ReadingOptions): TaskSource {
  return {
    work: "read",
    take: async (takeOptions) => {
      const { taken, more } = await takeReadings(bus.pool, takeOptions);
      const [first] = taken ?? [];
      if (taken === null || first === undefined) return { taken: null, more };
      const run = (worker: WarmWorker) => readAll(bus, options, { worker, taken, first });
      return { taken: { accountId: first.account_id, run }, more };
    },
  };
}

interface ReadWork {
  readonly worker: WarmWorker;
  /** Of one case. */
  readonly taken: readonly TakenReading[];
  readonly first: TakenReading;
}

/** Reads the documents of a case one after the other; what cannot be read now is returned to its queue. */
async function readAll(
  { pool, clock, log }: Bus,
  { files, box, giveUpMs, isScanned }: ReadingOptions,
  { worker, taken, first }: ReadWork,
): Promise<Settle> {
  const later = (left: readonly TakenReading[]): Promise<void> => {
    const postponed = left.map((one) => ({ taken: one, dueAt: retryAt(one, clock.now()) }));
    return postponeReadings(pool, first, postponed);
  };
  const lost = taken.filter((one) => isLost(one, clock.now(), giveUpMs));
  const finished: FinishedReading[] = lost.map((one) => ({ taken: one, reading: null }));
  const wanted = taken.filter((one) => !lost.includes(one));
  const left: TakenReading[] = [];
  try {
    if (isScanned) await queueScans(pool, first.order_id, clock.now());
    const values = wanted.length === 0 ? NO_VALUES : await findValuesOf(pool, box, first.order_id);
    for (const one of wanted) {
      const answer = await readOne(files, worker, { taken: one, values });
      if (answer.kind === "read") finished.push({ taken: one, reading: answer.reading });
      else left.push(one);
    }
  } catch (error) {
    if (!(error instanceof AppError) || !error.retryable) throw error;
    log.warn({ err: error, order_id: first.order_id }, "documents are read later");
    return () => later(taken);
  }
  return async () => {
    if (finished.length > 0) await finishReadings(pool, first, finished);
    if (left.length > 0) await later(left);
  };
}

type Values = ReadonlyMap<string, string>;
const NO_VALUES: Values = new Map();

async function findValuesOf(pool: Bus["pool"], box: SecretBox, orderId: string): Promise<Values> {
  const given = await readRequirementValues(pool, box, orderId);
  return new Map(given.flatMap((one) => (one.value === null ? [] : [[one.slug, one.value]])));
}

/** A letter that we printed is not opened: what it states was kept when it was printed. */
async function readOne(
  files: ReadingOptions["files"],
  worker: WarmWorker,
  { taken, values }: { readonly taken: TakenReading; readonly values: Values },
): Promise<ReadAnswer> {
  const { slug, document_id, page_texts: pages, phone_numbers: phoneNumbers } = taken;
  const wanted = wantedIn(slug, { phoneNumbers, values });
  if (pages !== null) {
    const found = findValues({ pages, isWhole: true }, wanted);
    return { kind: "read", reading: { pages: pages.length, found } };
  }
  return files.lend(document_id, (path) => worker.read(path, wanted)).catch(unavailable);
}
