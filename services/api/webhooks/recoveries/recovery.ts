export const RECOVERY_MODES = ["failed", "missing", "all"] as const;

export type RecoveryMode = (typeof RECOVERY_MODES)[number];

export interface RecoveryRequest {
  readonly endpointId: string;
  readonly mode: RecoveryMode;
  /** Of the events' creation; inclusive. */
  readonly since: Date;
  /** Exclusive. */
  readonly until: Date;
  /** Counts and sends nothing. */
  readonly dryRun: boolean;
}
