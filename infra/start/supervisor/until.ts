import { setTimeout as pause } from "node:timers/promises";
import { AppError } from "../../../services/platform/errors.ts";

export interface UntilOptions {
  readonly timeoutMs: number;
  /** The end of "timed out waiting for …". */
  readonly what: string;
  readonly everyMs?: number;
  readonly signal?: AbortSignal;
}

/** Polls a condition until it is true. @throws `stack_failed` after the timeout */
export async function until(
  condition: () => boolean | Promise<boolean>,
  { timeoutMs, what, everyMs = 50, signal }: UntilOptions,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await condition())) {
    signal?.throwIfAborted();
    if (performance.now() > deadline) {
      throw new AppError(
        "stack_failed",
        `Timed out after ${timeoutMs / 1000} s waiting for ${what}.`,
      );
    }
    await pause(everyMs, undefined, signal === undefined ? {} : { signal });
  }
}
