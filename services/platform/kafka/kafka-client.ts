import { Kafka, logLevel, type LogEntry } from "kafkajs";
import type { Logger } from "../logger.ts";
import { mendRequestTimer } from "./request-timer.ts";

/** Short, capped and many: a broker that was killed costs no failed send and no crashed consumer. */
const RETRY = {
  initialRetryTime: 100,
  maxRetryTime: 1_000,
  retries: 60,
  multiplier: 2,
  factor: 0.2,
};

export interface KafkaOptions {
  readonly brokers: readonly string[];
  readonly clientId: string;
  readonly log: Logger;
  /** Of the groups that the client's consumers join; a client without consumers has none. */
  readonly sessionTimeoutMs?: number;
}

const REQUEST_TIMEOUT_MS = 5_000;

/**
 * A group may wait so long for members that were killed. The broker holds a member's SyncGroup all that time, and a
 * member that gives up sooner comes back under a new id and makes the next one wait for its old one.
 */
export function rebalanceTimeoutOf(sessionTimeoutMs: number): number {
  return sessionTimeoutMs * 2;
}

/** kafkajs calls errors what it repairs by itself, so its errors are this service's warnings. */
function logTo(log: Logger): (entry: LogEntry) => void {
  const child = log.child({ component: "kafkajs" });
  return ({ level, log: { message, error } }) => {
    const fields = error === undefined ? {} : { reason: String(error) };
    if (level <= logLevel.WARN) child.warn(fields, message);
    else child.debug(fields, message);
  };
}

export function createKafka(options: KafkaOptions): Kafka {
  mendRequestTimer();
  return new Kafka({
    clientId: options.clientId,
    brokers: [...options.brokers],
    connectionTimeout: 1_000,
    requestTimeout: REQUEST_TIMEOUT_MS + rebalanceTimeoutOf(options.sessionTimeoutMs ?? 0),
    retry: RETRY,
    logLevel: logLevel.WARN,
    logCreator: () => logTo(options.log),
  });
}
