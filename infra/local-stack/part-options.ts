import type { PidFiles } from "../start/supervisor/pid-files.ts";
import type { ProcessOwner } from "./process-owner.ts";

/** The options that Postgres, Kafka and the registry share. */
export interface PartOptions {
  readonly dataDir: string;
  readonly pidFiles: PidFiles;
  readonly log: (line: string) => void;
  /** Who runs Kafka and the registry; null: we ourselves. Postgres has a user of its own. */
  readonly owner: ProcessOwner | null;
  /** Aborted when the stack stops. */
  readonly signal: AbortSignal;
}
