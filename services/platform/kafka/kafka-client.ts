import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls, type ConnectionOptions } from "node:tls";
import { Kafka, logLevel, type LogEntry, type RetryOptions } from "kafkajs";
import type { Logger } from "../logger.ts";
import { mendBrokerList, mendRequestTimer } from "./mend-kafkajs.ts";
import { clientSecurity, type KafkaSecurity } from "./client-security.ts";
import { mendRecordDecoder } from "./record-decoder.ts";

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
  readonly security: KafkaSecurity;
  readonly clientId: string;
  readonly log: Logger;
  /** The session timeout of the groups that the client's consumers join; absent without consumers. */
  readonly sessionTimeoutMs?: number;
  /** Replaces a service's many retries, for a caller that tries again itself. A producer's own would not cover its metadata. */
  readonly retry?: RetryOptions;
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

const KEEP_ALIVE_MS = 60_000;

interface SocketPlace {
  readonly host: string;
  readonly port: number;
  readonly ssl?: ConnectionOptions | boolean;
  readonly onConnect: () => void;
}

/** As the client's own, but no request waits until the one before it was acknowledged. */
function openSocket({ host, port, ssl = false, onConnect }: SocketPlace): Socket {
  const settings = ssl === true ? {} : ssl;
  const name = isIP(host) === 0 ? { servername: host } : {};
  const socket =
    settings === false
      ? connectTcp({ host, port }, onConnect)
      : connectTls({ host, port, ...name, ...settings }, onConnect);
  return socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_MS);
}

/** The only place that makes a client. @throws `invalid_config` where its security settings contradict each other */
export function createKafka(options: KafkaOptions): Kafka {
  mendRequestTimer();
  mendBrokerList();
  mendRecordDecoder();
  return new Kafka({
    clientId: options.clientId,
    brokers: [...options.brokers],
    ...clientSecurity(options.security),
    socketFactory: openSocket,
    connectionTimeout: 1_000,
    requestTimeout: REQUEST_TIMEOUT_MS + rebalanceTimeoutOf(options.sessionTimeoutMs ?? 0),
    retry: { ...RETRY, ...options.retry },
    logLevel: logLevel.WARN,
    logCreator: () => logTo(options.log),
  });
}
