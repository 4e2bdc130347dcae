import { setTimeout as pause } from "node:timers/promises";

/** Each probe wakes the program; a tenth of the time in which it must react is often enough. */
const PROBES = 10;
const MOST_PAUSE_MS = 2_000;
/** A probe that took longer was held up by this process, or by the whole machine: it says nothing of the program. */
const LONGEST_PROBE_MS = 6_000;

export interface HangWatchOptions {
  /** Whether the program reacts at all, ready or not. */
  readonly reacts: () => Promise<boolean>;
  /** Whether it has reacted to others. */
  readonly hasReacted: () => boolean;
  /** True while it is paused on purpose or being stopped. */
  readonly mayBeSilent: () => boolean;
  readonly hungAfterMs: number;
  /** The same before its first reaction: a start may take its time. */
  readonly startLimitMs: number;
}

/** Resolves to true once a program has not reacted for so long, to false when `over` is aborted first. */
export async function hangs(
  { reacts, hasReacted, mayBeSilent, hungAfterMs, startLimitMs }: HangWatchOptions,
  over: AbortSignal,
): Promise<boolean> {
  let silentMs = 0;
  let hasStarted = false;
  const pauseMs = Math.min(hungAfterMs / PROBES, MOST_PAUSE_MS);
  for (let last = performance.now(); !over.aborted;) {
    const reacted = await reacts();
    hasStarted ||= reacted || hasReacted();
    const isFine = reacted || mayBeSilent();
    const now = performance.now();
    silentMs = silenceAfter(silentMs, { isFine, tookMs: now - last });
    if (silentMs >= (hasStarted ? hungAfterMs : startLimitMs)) return true;
    last = now;
    await pause(pauseMs, undefined, { signal: over }).catch(() => undefined);
  }
  return false;
}

/** How long a program has been silent after one more probe, which took so long with the pause before it. */
export function silenceAfter(
  silentMs: number,
  { isFine, tookMs }: { readonly isFine: boolean; readonly tookMs: number },
): number {
  if (isFine) return 0;
  return tookMs > LONGEST_PROBE_MS ? silentMs : silentMs + tookMs;
}
