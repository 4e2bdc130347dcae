import { setTimeout as pause } from "node:timers/promises";
import { CertifyFailure, type Shortfall } from "./certify-failure.ts";

const POLL_MS = 100;

export interface Wait {
  readonly timeoutMs: number;
  /** What was awaited, and what there is instead; asked at the end. */
  readonly what: () => Shortfall;
}

/** Repeats `find` until it returns something else than undefined. @throws CertifyFailure after the time */
export async function waitFor<T>(
  find: () => T | undefined | Promise<T | undefined>,
  { timeoutMs, what }: Wait,
): Promise<T> {
  const until = performance.now() + timeoutMs;
  for (;;) {
    const found = await find();
    if (found !== undefined) return found;
    if (performance.now() > until) {
      const shortfall = what();
      const came = `${shortfall.came} (waited ${timeoutMs / 1_000} s)`;
      throw new CertifyFailure({ ...shortfall, came });
    }
    await pause(POLL_MS);
  }
}
