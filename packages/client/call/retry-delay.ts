import { ApiError, ConnectionError } from "../errors.ts";

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 8_000;
/** A wait that is asked for and longer than this is left to the caller. */
const LONGEST_RETRY_AFTER_MS = 60_000;

/** What may pass by itself: too many requests, and faults of the service or on the way to it. */
const PASSING = new Set([429, 500, 502, 503, 504]);

export interface Tries {
  /** How many tries have failed: 1 after the first. */
  readonly failed: number;
  readonly maxRetries: number;
  /** From 0 to 1, so that clients that failed together do not return together. */
  readonly random: () => number;
}

/** How long to wait before the next try; null where there is to be none. */
export function retryDelayMs(error: unknown, tries: Tries): number | null {
  if (!isPassing(error) || tries.failed > tries.maxRetries) return null;
  const askedMs = askedDelayMs(error);
  return askedMs > LONGEST_RETRY_AFTER_MS ? null : Math.max(askedMs, backoffMs(tries));
}

/** What the API asks to wait. */
export function askedDelayMs(error: unknown): number {
  return error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0;
}

/** Doubles from half a second to eight, less up to half of it. */
export function backoffMs({ failed, random }: Pick<Tries, "failed" | "random">): number {
  const longest = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (failed - 1));
  return longest * (1 - random() / 2);
}

/** Whether a try that failed may have taken effect: its answer was lost, or the service failed on the way. */
export function mayHaveTakenEffect(error: unknown): boolean {
  return error instanceof ConnectionError || (error instanceof ApiError && error.status >= 500);
}

/** Whether the same request may succeed later. */
export function isPassing(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  if (!(error instanceof ApiError)) return false;
  // The first try is still running; its answer is replayed when it is done.
  return PASSING.has(error.status) || error.code === "idempotency_in_progress";
}
