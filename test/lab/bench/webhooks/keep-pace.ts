import { setTimeout as pause } from "node:timers/promises";
import type { Pace } from "./system.ts";

/** Starts pieces of work at a steady rate, whether or not earlier ones have ended, until one fails. */
export async function keepPace(
  { count, perSecond }: Pace,
  work: () => Promise<void>,
): Promise<void> {
  const startedAt = performance.now();
  const running: Promise<void>[] = [];
  const failure = new AbortController();
  for (let n = 0; n < count && !failure.signal.aborted; n += 1) {
    const waitMs = startedAt + (n * 1_000) / perSecond - performance.now();
    if (waitMs > 0) await pause(waitMs);
    const piece = work();
    piece.catch(() => failure.abort());
    running.push(piece);
  }
  await Promise.all(running);
}
