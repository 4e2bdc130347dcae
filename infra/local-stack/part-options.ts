import type { PidFiles } from "../start/supervisor/pid-files.ts";

/** The options that Postgres, Kafka and the registry share. */
export interface PartOptions {
  readonly dataDir: string;
  readonly pidFiles: PidFiles;
  readonly log: (line: string) => void;
  /** Aborted when the stack stops. */
  readonly signal: AbortSignal;
}
