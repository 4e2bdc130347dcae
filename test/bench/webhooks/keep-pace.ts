import { setTimeout as pause } from "node:timers/promises";
import type { Pace } from "./system.ts";

/** Begins one piece of work after the other at a steady rate, whether those before have ended or not. */
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
