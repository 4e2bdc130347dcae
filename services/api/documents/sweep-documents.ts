import {
  deleteDocuments,
  documentsOfDeleted,
  findDocumentIds,
  findLapsedUploads,
} from "../../domain/document/store/documents.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import type { FileStore } from "../../platform/files/file-store.ts";
import type { Logger } from "../../platform/logger.ts";
import { startPeriodic, type Periodic } from "../../platform/periodic.ts";

const EVERY_MS = 600_000;
const DAY_MS = 86_400_000;

export interface RemovalDeps {
  readonly pool: Queryable;
  readonly files: Pick<FileStore, "remove">;
  readonly clock: Clock;
}

interface Unused extends RemovalDeps {
  /** How long an upload stays that no order uses; 0 for ever. */
  readonly unusedMs: number;
}

export interface SweepDeps extends Unused {
  readonly files: Pick<FileStore, "sweep" | "remove">;
  readonly log: Logger;
}

/**
 * Every ten minutes, removes files older than a day that have no row, such as those that a killed process left behind, the
 * documents of deleted drafts, and uploads that no order has used for as long as a draft may stay untouched.
 */
export function startSweep(deps: SweepDeps): Periodic {
  const { pool, files, clock, log } = deps;
  return startPeriodic({
    name: "sweep of documents",
    everyMs: EVERY_MS,
    log,
    run: async () => {
      const removed = await files.sweep({
        olderThan: new Date(clock.now().getTime() - DAY_MS),
        findKnown: (ids) => findDocumentIds(pool, ids),
      });
      await removeOfDeleted(deps);
      await removeUnused(deps);
      if (removed > 0) log.info({ files: removed }, "removed files that belong to no document");
    },
  });
}

/** A check of a document that is under way has ended by then. */
const SETTLED_MS = 3_600_000;
/** A process that runs at all within so long has removed them. */
const LOOKED_BACK_MS = 30 * DAY_MS;
const BATCH = 100;

export async function removeOfDeleted({ pool, files, clock }: RemovalDeps): Promise<void> {
  const now = clock.now().getTime();
  const within = { since: new Date(now - LOOKED_BACK_MS), until: new Date(now - SETTLED_MS) };
  await removeAll({ pool, files }, () => documentsOfDeleted(pool, within, BATCH));
}

export async function removeUnused({ pool, files, clock, unusedMs }: Unused): Promise<void> {
  if (unusedMs === 0) return;
  const since = new Date(clock.now().getTime() - unusedMs);
  await removeAll({ pool, files }, () => findLapsedUploads(pool, since, BATCH));
}

/** First the files: a process killed in between finds the rows again. */
async function removeAll(
  { pool, files }: Pick<RemovalDeps, "pool" | "files">,
  findNext: () => Promise<readonly string[]>,
): Promise<void> {
  for (;;) {
    const ids = await findNext();
    if (ids.length === 0) return;
    for (const id of ids) await files.remove(id);
    await deleteDocuments(pool, ids);
  }
}
