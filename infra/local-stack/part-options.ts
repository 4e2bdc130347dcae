import type { PidFiles } from "../start/supervisor/pid-files.ts";

/** What Postgres, Kafka and the registry are all given. */
export interface PartOptions {
  readonly dataDir: string;
  readonly pidFiles: PidFiles;
  readonly log: (line: string) => void;
  /** Aborted when the start is to be given up. */
  readonly signal: AbortSignal;
}
