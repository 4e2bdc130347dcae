import { setTimeout as pause } from "node:timers/promises";

/** Pauses, and a clock that runs evenly. */
export interface Timing {
  nowMs(): number;
  /** Ends early where the signal is aborted. */
  pause(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemTiming: Timing = {
  nowMs: () => performance.now(),
  async pause(ms, signal) {
    const options = signal === undefined ? { ref: false } : { signal };
    await pause(ms, undefined, options).catch(() => undefined);
  },
};
