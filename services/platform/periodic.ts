import type { Logger } from "./logger.ts";

const FIRST_RETRY_MS = 1_000;

interface PeriodicOptions {
  /** For the log line of a failure. */
  readonly name: string;
  /** The pause between two runs; a function is asked after each. */
  readonly everyMs: number | (() => number);
  readonly run: () => Promise<unknown>;
  readonly log: Logger;
}

export interface Periodic {
  /** Resolves when the current run has ended. */
  stop(): Promise<void>;
}

/**
 * Runs at once and again after each pause; a failed run is logged and retried after 1 s, or the pause if
 * shorter.
 */
export function startPeriodic({ name, everyMs, run, log }: PeriodicOptions): Periodic {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  const nextPause = typeof everyMs === "number" ? () => everyMs : everyMs;
  const runOnce = async (): Promise<void> => {
    let longest = Infinity;
    try {
      await run();
    } catch (error) {
      longest = FIRST_RETRY_MS;
      if (!stopped) log.warn({ err: error, task: name }, "a periodic task failed; retrying");
    }
    if (stopped) return;
    const pause = Math.min(nextPause(), longest);
    timer = setTimeout(() => {
      running = runOnce();
    }, pause);
  };
  let running = runOnce();
  return {
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
