import { createRequire } from "node:module";

interface RequestQueue {
  pending: unknown[];
  throttledUntil: number;
  throttleCheckTimeoutId: unknown;
}

interface RequestQueueClass {
  prototype: RequestQueue & { scheduleCheckPendingRequests: (this: RequestQueue) => void };
}

/**
 * kafkajs 2.2.4 sets a timer with a negative delay after every request (tulios/kafkajs#1751): a needless
 * wake-up each time, and a warning from Node 24 on. Without pending requests or throttling there is
 * nothing to check, so no timer is set.
 */
export function mendRequestTimer(): void {
  const path = "kafkajs/src/network/requestQueue/index.js";
  const queue = createRequire(import.meta.url)(path) as RequestQueueClass;
  const { prototype } = queue;
  const original: (this: RequestQueue) => void = prototype.scheduleCheckPendingRequests;
  if (original.name === "scheduleWhenNeeded") return;
  prototype.scheduleCheckPendingRequests = function scheduleWhenNeeded(this: RequestQueue) {
    if (this.pending.length > 0 || this.throttledUntil > Date.now()) original.call(this);
  };
}
