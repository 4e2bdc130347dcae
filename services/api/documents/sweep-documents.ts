import {
  deleteDocuments,
  documentsOfDeleted,
  findDocumentIds,
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

export interface SweepDeps {
  readonly pool: Queryable;
  readonly files: Pick<FileStore, "sweep" | "remove">;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Every ten minutes, removes files older than a day that have no row, such as those that a killed process left behind, and
 * the documents of deleted drafts.
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
      if (removed > 0) log.info({ files: removed }, "removed files that belong to no document");
    },
  });
}

/** A check of a document that is under way has ended by then. */
const SETTLED_MS = 3_600_000;
/** A process that runs at all within so long has removed them. */
const LOOKED_BACK_MS = 30 * DAY_MS;
const BATCH = 100;

/** First the files: a process killed in between finds the rows again. */
export async function removeOfDeleted({ pool, files, clock }: RemovalDeps): Promise<void> {
  const now = clock.now().getTime();
  const within = { since: new Date(now - LOOKED_BACK_MS), until: new Date(now - SETTLED_MS) };
  for (;;) {
    const ids = await documentsOfDeleted(pool, within, BATCH);
    if (ids.length === 0) return;
    for (const id of ids) await files.remove(id);
    await deleteDocuments(pool, ids);
  }
}
