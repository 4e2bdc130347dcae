/** What happens to a delivery after a failed attempt. */
export type NextStep =
  | { readonly status: "retrying"; readonly dueAt: Date; readonly step: number }
  | { readonly status: "failed" };

export interface FailedAttempt {
  /** The number of attempts made, including this one. */
  readonly attemptCount: number;
  /** Requested manually: one attempt outside the schedule. */
  readonly single: boolean;
  readonly endedAt: Date;
}

/**
 * The nth failed attempt is followed by the nth delay of the schedule, counted from the attempt's end;
 * the last by `failed`. `step` is the delay's index.
 */
export function nextStep(failed: FailedAttempt, delaysMs: readonly number[]): NextStep {
  const step = failed.attemptCount - 1;
  const delayMs = failed.single ? undefined : delaysMs[step];
  if (delayMs === undefined) return { status: "failed" };
  return { status: "retrying", dueAt: new Date(failed.endedAt.getTime() + delayMs), step };
}
