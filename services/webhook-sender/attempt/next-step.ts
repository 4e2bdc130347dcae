/** What a failed attempt leads to. */
export type NextStep =
  | { readonly status: "retrying"; readonly dueAt: Date; readonly step: number }
  | { readonly status: "failed" };

export interface FailedAttempt {
  /** How many attempts were made, this one included. */
  readonly attemptCount: number;
  /** Asked for by hand: one attempt outside of the schedule. */
  readonly single: boolean;
  readonly endedAt: Date;
}

/**
 * After the nth failed attempt the nth delay of the schedule, counted from the attempt's end; `failed` after the last.
 * `step` is the delay's index.
 */
export function nextStep(failed: FailedAttempt, delaysMs: readonly number[]): NextStep {
  const step = failed.attemptCount - 1;
  const delayMs = failed.single ? undefined : delaysMs[step];
  if (delayMs === undefined) return { status: "failed" };
  return { status: "retrying", dueAt: new Date(failed.endedAt.getTime() + delayMs), step };
}
