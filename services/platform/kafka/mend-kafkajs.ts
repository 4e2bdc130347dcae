import { createRequire } from "node:module";
import kafkajs from "kafkajs";

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

interface Metadata {
  readonly brokers: readonly unknown[];
}

interface BrokerClass {
  prototype: { metadata: (this: unknown, topics?: readonly string[]) => Promise<Metadata> };
}

const LEADER_NOT_AVAILABLE = 5;

/** The one fault at which the client reads the metadata again, with its pauses and at most its retries. */
export class NoBrokers extends kafkajs.KafkaJSProtocolError {
  constructor() {
    const fault = { type: "LEADER_NOT_AVAILABLE", code: LEADER_NOT_AVAILABLE, retriable: true };
    super(Object.assign(new Error("No broker has been admitted to the cluster yet"), fault));
  }
}

/**
 * A broker that has just started knows of no broker, not even itself, until the controller has admitted it. kafkajs 2.2.4
 * takes that list for the truth: its consumer crashes, returns as a new member, and makes its group wait for the old one
 * until that one's session ends. As a fault that passes, the client asks again.
 */
export function mendBrokerList(): void {
  const path = "kafkajs/src/broker/index.js";
  const { prototype } = createRequire(import.meta.url)(path) as BrokerClass;
  const original = prototype.metadata;
  if (original.name === "metadataWithBrokers") return;
  prototype.metadata = async function metadataWithBrokers(topics) {
    const found = await original.call(this, topics);
    if (found.brokers.length > 0) return found;
    throw new NoBrokers();
  };
}
