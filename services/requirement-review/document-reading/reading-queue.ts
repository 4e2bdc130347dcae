import { readRequirementValues } from "../../domain/requirement/store/requirement-values.ts";
import type { Bus } from "../../messages/bus/bus.ts";
import { AppError } from "../../platform/errors.ts";
import type { FileStore } from "../../platform/files/file-store.ts";
import type { SecretBox } from "../../platform/secret-box.ts";
import type { Settle, TaskSource } from "../document-check/document-queue.ts";
import { isLost, retryAt, unavailable } from "../document-check/retry.ts";
import type { WarmWorker } from "../document-check/warm-worker.ts";
import { queueScans } from "../document-scan/store/document-scans.ts";
import type { Wanted } from "./rules/find-values.ts";
import { wantedIn } from "./rules/wanted-values.ts";
import {
  finishReading,
  postponeReading,
  takeReading,
  type TakenReading,
} from "./store/document-readings.ts";

export interface ReadingOptions {
  readonly files: Pick<FileStore, "lend">;
  /** Opens the values that are looked for. */
  readonly box: SecretBox;
  readonly giveUpMs: number;
  /** Whether a document that was never scanned for viruses, such as a signed letter, is to be now. */
  readonly isScanned: boolean;
}

/** The documents of opened cases, in which the order's values are looked for. Their text is not kept. */
export function readingQueue(bus: Bus, options: ReadingOptions): TaskSource {
  return {
    take: async (takeOptions) => {
      const taken = await takeReading(bus.pool, takeOptions);
      if (taken === null) return null;
      return {
        accountId: taken.account_id,
        run: (worker) => readOne(bus, options, { worker, taken }),
      };
    },
  };
}

interface ReadWork {
  readonly worker: WarmWorker;
  readonly taken: TakenReading;
}

async function readOne(
  { pool, clock, log }: Bus,
  { files, box, giveUpMs, isScanned }: ReadingOptions,
  { worker, taken }: ReadWork,
): Promise<Settle> {
  const postpone: Settle = () => postponeReading(pool, taken, retryAt(taken, clock.now()));
  let wanted: Wanted[];
  try {
    if (isScanned) await queueScans(pool, taken.order_id, clock.now());
    if (isLost(taken, clock.now(), giveUpMs)) return () => finishReading(pool, taken, null);
    wanted = await findWanted(pool, box, taken);
  } catch (error) {
    if (!(error instanceof AppError) || !error.retryable) throw error;
    log.warn({ err: error, order_id: taken.order_id }, "a document is read later");
    return postpone;
  }
  const answer = await files
    .lend(taken.document_id, (path) => worker.read(path, wanted))
    .catch(unavailable);
  return answer.kind === "read" ? () => finishReading(pool, taken, answer.reading) : postpone;
}

async function findWanted(
  pool: Bus["pool"],
  box: SecretBox,
  { order_id, slug, phone_numbers: phoneNumbers }: TakenReading,
): Promise<Wanted[]> {
  const given = await readRequirementValues(pool, box, order_id);
  const values = new Map(
    given.flatMap((one) => (one.value === null ? [] : [[one.slug, one.value]])),
  );
  return wantedIn(slug, { phoneNumbers, values });
}
