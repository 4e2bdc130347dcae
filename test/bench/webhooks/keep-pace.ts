import { setTimeout as pause } from "node:timers/promises";
import type { Pace } from "./system.ts";

/** Starts pieces of work at a steady rate, whether or not earlier ones have ended. */
export async function keepPace(
  { count, perSecond }: Pace,
  work: () => Promise<void>,
): Promise<void> {
  const startedAt = performance.now();
  const running: Promise<void>[] = [];
  for (let n = 0; n < count; n += 1) {
    const waitMs = startedAt + (n * 1_000) / perSecond - performance.now();
    if (waitMs > 0) await pause(waitMs);
    running.push(work());
  }
  await Promise.all(running);
}
