import { setTimeout as pause } from "node:timers/promises";

const POLL_MS = 250;

export interface Wait {
  readonly timeoutMs: number;
  /** What was awaited, as the failure says it; asked again at the end. */
  readonly what: () => string;
}

/** Repeats `find` until it returns something else than undefined. @throws an error after the time */
export async function waitFor<T>(
  find: () => Promise<T | undefined>,
  { timeoutMs, what }: Wait,
): Promise<T> {
  const until = performance.now() + timeoutMs;
  for (;;) {
    const found = await find();
    if (found !== undefined) return found;
    if (performance.now() > until) throw new Error(`${what()} (waited ${timeoutMs / 1_000} s)`);
    await pause(POLL_MS);
  }
}
