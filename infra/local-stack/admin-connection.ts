import { createRequire } from "node:module";
import type { Exchange } from "./protocol-exchange.ts";
import { KAFKA_ADMIN, type KafkaUsers } from "./kafka-users.ts";

/** What a request of kafkajs or of ours is sent by. */
export interface Sender {
  send<D>(exchange: Exchange<D>): Promise<D>;
}

interface Connection extends Sender {
  connect(): Promise<boolean>;
  disconnect(): Promise<boolean>;
  setVersions(versions: Readonly<Record<number, object>>): void;
  setSupportAuthenticationProtocol(isSupported: boolean): void;
}

const load = createRequire(import.meta.url);
const ConnectionOf = load("kafkajs/src/network/connection") as new (options: object) => Connection;
const socketFactory = load("kafkajs/src/network/socketFactory") as () => unknown;

const TIMEOUT_MS = 10_000;
const BOTH_VERSIONS = { minVersion: 0, maxVersion: 1 };
const SASL_VERSIONS = { 17: BOTH_VERSIONS, 36: BOTH_VERSIONS };

const silent = (): void => undefined;
const logger = {
  namespace: () => logger,
  ...{ debug: silent, info: silent, warn: silent, error: silent },
};

/** The address of a broker without TLS. */
export interface Broker {
  readonly host: string;
  readonly port: number;
}

/** A connection of the administrator, who logs in by PLAIN, the one password that the broker's own file has. */
export async function asKafkaAdmin<T>(
  broker: Broker,
  users: KafkaUsers,
  work: (sender: Sender) => Promise<T>,
): Promise<T> {
  const password = users[KAFKA_ADMIN];
  const connection = new ConnectionOf({
    ...broker,
    clientId: "start",
    logger,
    socketFactory: socketFactory(),
    sasl: { mechanism: "plain", username: KAFKA_ADMIN, password },
    connectionTimeout: TIMEOUT_MS,
    requestTimeout: TIMEOUT_MS,
  });
  connection.setVersions(SASL_VERSIONS);
  connection.setSupportAuthenticationProtocol(true);
  try {
    await connection.connect();
    return await work(connection);
  } finally {
    await connection.disconnect();
  }
}
