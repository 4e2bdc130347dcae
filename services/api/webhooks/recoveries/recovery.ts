export const RECOVERY_MODES = ["failed", "missing", "all"] as const;

export type RecoveryMode = (typeof RECOVERY_MODES)[number];

export interface RecoveryRequest {
  readonly endpointId: string;
  readonly mode: RecoveryMode;
  /** Earliest creation time of the events, inclusive. */
  readonly since: Date;
  /** Latest creation time, exclusive. */
  readonly until: Date;
  /** Counts the events without sending them. */
  readonly dryRun: boolean;
}
