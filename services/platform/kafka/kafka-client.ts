import { Kafka, logLevel, type LogEntry } from "kafkajs";
import type { Logger } from "../logger.ts";
import { mendRequestTimer } from "./request-timer.ts";

/** Many short, capped retries: a killed broker causes no failed send and no crashed consumer. */
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
  /** The session timeout of the groups that the client's consumers join; absent without consumers. */
  readonly sessionTimeoutMs?: number;
}

const REQUEST_TIMEOUT_MS = 5_000;

/**
 * A group may wait this long for killed members. The broker holds a member's SyncGroup all that time, and
 * a member that gives up sooner returns under a new id and makes the group wait for its old one.
 */
export function rebalanceTimeoutOf(sessionTimeoutMs: number): number {
  return sessionTimeoutMs * 2;
}

/** kafkajs logs faults that it recovers from as errors, so they are logged as warnings here. */
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
