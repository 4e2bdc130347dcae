export const RECOVERY_MODES = ["failed", "missing", "all"] as const;

export type RecoveryMode = (typeof RECOVERY_MODES)[number];

/** A recovery as its account sees it (docs/contract/customer-api.md, Webhook deliveries). */
export interface Recovery {
  readonly id: string;
  /** `running` until all that it found was sent or failed for good. */
  readonly status: "running" | "completed" | "cancelled";
  /** Events found when it was asked for. */
  readonly total: number;
  /** Deliveries made so far. */
  readonly queued: number;
  readonly succeeded: number;
  readonly failed: number;
}

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
