import { findDocumentIds } from "../domain/document/document-store.ts";
import type { Clock } from "../platform/clock.ts";
import type { Queryable } from "../platform/db/transaction.ts";
import type { FileStore } from "../platform/files/file-store.ts";
import type { Logger } from "../platform/logger.ts";
import type { Periodic } from "../platform/periodic.ts";
import { startPeriodic } from "../platform/periodic.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export interface SweepDeps {
  readonly pool: Queryable;
  readonly files: Pick<FileStore, "sweep">;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Once an hour: removes the files that killed processes have left a day ago. */
export function startSweep({ pool, files, clock, log }: SweepDeps): Periodic {
  return startPeriodic({
    name: "sweep of documents",
    everyMs: HOUR_MS,
    log,
    run: async () => {
      const removed = await files.sweep({
        olderThan: new Date(clock.now().getTime() - DAY_MS),
        findKnown: (ids) => findDocumentIds(pool, ids),
      });
      if (removed > 0) log.info({ files: removed }, "files were removed that no document names");
    },
  });
}
