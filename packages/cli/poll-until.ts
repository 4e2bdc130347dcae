import { setTimeout as pause } from "node:timers/promises";
import { CliError, EXIT_CODES } from "./errors.ts";

const POLL_MS = 250;

interface PollOptions {
  readonly timeoutMs: number;
  /** What is waited for, in the error. */
  readonly what: string;
  readonly signal?: AbortSignal;
}

/** Repeats a look until it finds something. @throws CliError after the time is over */
export async function pollUntil<T>(
  look: () => Promise<T | null>,
  { timeoutMs, what, signal }: PollOptions,
): Promise<T> {
  const until = performance.now() + timeoutMs;
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    if (performance.now() > until) {
      const text = `Gave up waiting for ${what} after ${timeoutMs / 1_000} s.`;
      throw new CliError(text, EXIT_CODES.unreachable);
    }
    await pause(POLL_MS, undefined, signal && { signal });
  }
}
