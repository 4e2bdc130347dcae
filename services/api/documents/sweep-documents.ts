import { findDocumentIds } from "../../domain/document/store/documents.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import type { FileStore } from "../../platform/files/file-store.ts";
import type { Logger } from "../../platform/logger.ts";
import { startPeriodic, type Periodic } from "../../platform/periodic.ts";

const EVERY_MS = 600_000;
const DAY_MS = 86_400_000;

export interface SweepDeps {
  readonly pool: Queryable;
  readonly files: Pick<FileStore, "sweep">;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Every ten minutes, removes files older than a day that have no row, such as those that a killed process left behind. */
export function startSweep({ pool, files, clock, log }: SweepDeps): Periodic {
  return startPeriodic({
    name: "sweep of documents",
    everyMs: EVERY_MS,
    log,
    run: async () => {
      const removed = await files.sweep({
        olderThan: new Date(clock.now().getTime() - DAY_MS),
        findKnown: (ids) => findDocumentIds(pool, ids),
      });
      if (removed > 0) log.info({ files: removed }, "removed files that belong to no document");
    },
  });
}
