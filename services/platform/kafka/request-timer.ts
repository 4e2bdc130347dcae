import { createRequire } from "node:module";

interface Request {
  /** Epoch milliseconds. */
  readonly sentAt: number;
  readonly requestTimeout: number;
  timeoutRequest(): void;
}

interface RequestQueue {
  readonly pending: readonly unknown[];
  readonly inflight: ReadonlyMap<number, Request>;
  readonly throttledUntil: number;
  readonly requestTimeout: number;
  readonly enforceRequestTimeout: boolean;
  requestTimeoutIntervalId: NodeJS.Timeout | null;
  isConnected(): boolean;
  destroy(): void;
}

interface RequestQueueMethods {
  scheduleCheckPendingRequests: (this: RequestQueue) => void;
  scheduleRequestTimeoutCheck: (this: RequestQueue) => void;
}

interface RequestQueueClass {
  prototype: RequestQueue & RequestQueueMethods;
}

const LOOK_MS = 1_000;

/**
 * kafkajs 2.2.4 wakes an idle process for nothing: by a timer with a negative delay after every request
 * (tulios/kafkajs#1751), and by ten looks a second at the requests of every connection.
 */
export function mendRequestTimer(): void {
  const path = "kafkajs/src/network/requestQueue/index.js";
  const { prototype } = createRequire(import.meta.url)(path) as RequestQueueClass;
  const original: RequestQueueMethods["scheduleCheckPendingRequests"] =
    prototype.scheduleCheckPendingRequests;
  if (original.name === "scheduleWhenNeeded") return;
  // Without pending requests or throttling there is nothing to check.
  prototype.scheduleCheckPendingRequests = function scheduleWhenNeeded(this: RequestQueue) {
    if (this.pending.length > 0 || this.throttledUntil > Date.now()) original.call(this);
  };
  prototype.scheduleRequestTimeoutCheck = function scheduleLooks(this: RequestQueue) {
    if (!this.enforceRequestTimeout) return;
    this.destroy();
    lookAgain(this);
  };
}

/** All connections look at the same moments, so that they wake the process together. */
function lookAgain(queue: RequestQueue): void {
  const everyMs = Math.min(queue.requestTimeout, LOOK_MS);
  const left = Math.ceil(everyMs - (performance.now() % everyMs));
  queue.requestTimeoutIntervalId = setTimeout(() => {
    // A request that is ended may end the connection, and so these looks.
    lookAgain(queue);
    for (const request of queue.inflight.values()) {
      if (Date.now() - request.sentAt > request.requestTimeout) request.timeoutRequest();
    }
    if (!queue.isConnected()) queue.destroy();
  }, left);
}
