import { setTimeout as pause } from "node:timers/promises";

const PROBE_EVERY_MS = 1_000;
/** What one probe may count: when the whole machine pauses, the program was not the one that was silent. */
const MOST_PER_PROBE_MS = 5_000;

export interface HangWatchOptions {
  /** Whether the program reacts at all, ready or not. */
  readonly reacts: () => Promise<boolean>;
  /** Whether it has reacted to others; before its first reaction a start may take its time. */
  readonly hasReacted: () => boolean;
  /** True while it is paused on purpose or being stopped. */
  readonly mayBeSilent: () => boolean;
  readonly hungAfterMs: number;
}

/** Resolves to true once a program has not reacted for `hungAfterMs`, to false when `over` is aborted first. */
export async function hangs(
  { reacts, hasReacted, mayBeSilent, hungAfterMs }: HangWatchOptions,
  over: AbortSignal,
): Promise<boolean> {
  let silentMs = 0;
  let hasStarted = false;
  for (let last = performance.now(); !over.aborted;) {
    const reacted = await reacts();
    hasStarted ||= reacted || hasReacted();
    const isFine = reacted || !hasStarted || mayBeSilent();
    const now = performance.now();
    silentMs = isFine ? 0 : silentMs + Math.min(now - last, MOST_PER_PROBE_MS);
    if (silentMs >= hungAfterMs) return true;
    last = now;
    await pause(PROBE_EVERY_MS, undefined, { signal: over }).catch(() => undefined);
  }
  return false;
}
