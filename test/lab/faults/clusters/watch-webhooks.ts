import type { FaultReceiver } from "../fault-receiver.ts";

const LOOK_MS = 50;

export interface WebhookWatch {
  /** The longest time without a webhook so far, in ms. */
  readonly longestSilenceMs: () => number;
  stop(): void;
}

/** Measures how long webhooks pause while load goes on. */
export function watchWebhooks({ received }: FaultReceiver): WebhookWatch {
  let longestMs = 0;
  let before = received.length;
  let lastAt = performance.now();
  const look = (): void => {
    const now = performance.now();
    longestMs = Math.max(longestMs, now - lastAt);
    if (received.length === before) return;
    before = received.length;
    lastAt = now;
  };
  const timer = setInterval(look, LOOK_MS);
  return { longestSilenceMs: () => Math.round(longestMs), stop: () => clearInterval(timer) };
}
