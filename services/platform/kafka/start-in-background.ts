import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "../logger.ts";
import type { RunningConsumer } from "./consumer.ts";

const RETRY_MS = 2_000;

export interface BackgroundOptions {
  readonly log: Logger;
  readonly retryMs?: number;
}

/**
 * Starts a consumer without waiting for it, and again for as long as that fails: for a front door, which answers requests
 * while the broker is away, also where it starts then.
 */
export function startInBackground(
  start: () => Promise<RunningConsumer>,
  { log, retryMs = RETRY_MS }: BackgroundOptions,
): RunningConsumer {
  const stopping = new AbortController();
  const { signal } = stopping;
  let consumer: RunningConsumer | null = null;
  const startOnce = async (): Promise<void> => {
    const started = await start();
    if (signal.aborted) return started.stop();
    consumer = started;
  };
  const run = async (): Promise<void> => {
    while (!signal.aborted && consumer === null) {
      try {
        await startOnce();
      } catch (err) {
        log.warn({ err }, "the consumer could not start");
        await pause(retryMs, undefined, { signal, ref: false }).catch(() => undefined);
      }
    }
  };
  void run();
  return {
    isJoined: () => consumer?.isJoined() === true,
    // A start that is under way may hang for as long as the broker is away: it handles nothing, so it is not waited for.
    stop: async () => {
      stopping.abort();
      await consumer?.stop();
    },
  };
}
