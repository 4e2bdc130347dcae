import { pbkdf2, randomBytes } from "node:crypto";
import { createRequire } from "node:module";
import { promisify } from "node:util";
import { AppError } from "../../services/platform/errors.ts";
import {
  exchangeOf,
  newEncoder,
  type Decoder,
  type Encoder,
  type Exchange,
} from "../../services/platform/kafka/protocol-exchange.ts";
import { KAFKA_ADMIN, type KafkaUsers } from "./kafka-users.ts";

interface Connection {
  connect(): Promise<boolean>;
  disconnect(): Promise<boolean>;
  setVersions(versions: Readonly<Record<number, object>>): void;
  setSupportAuthenticationProtocol(isSupported: boolean): void;
  send<D>(exchange: Exchange<D>): Promise<D>;
}

const load = createRequire(import.meta.url);
const ConnectionOf = load("kafkajs/src/network/connection") as new (options: object) => Connection;
const socketFactory = load("kafkajs/src/network/socketFactory") as () => unknown;

const TIMEOUT_MS = 10_000;
const ITERATIONS = 4_096;
const SHA512_BYTES = 64;
/** The mechanism's number in the protocol. */
const SCRAM_SHA_512 = 2;
const BOTH_VERSIONS = { minVersion: 0, maxVersion: 1 };
const SASL_VERSIONS = { 17: BOTH_VERSIONS, 36: BOTH_VERSIONS };

const derive = promisify(pbkdf2);
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

/**
 * Gives the users their passwords, which the broker stores salted; may be repeated. kafkajs knows no request for
 * that, but takes one. The administrator logs in by PLAIN, the one password that the broker's own file has.
 * @throws `stack_failed` with the broker's reason
 */
export async function setKafkaPasswords(broker: Broker, users: KafkaUsers): Promise<void> {
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
    const upsertions = await Promise.all(Object.entries(users).map(upsertion));
    await connection.connect();
    const refusals = await connection.send(alterScramCredentials(upsertions));
    const [refusal] = refusals.filter(({ errorCode }) => errorCode !== 0);
    if (refusal === undefined) return;
    const why = refusal.message ?? `error ${refusal.errorCode}`;
    throw new AppError("stack_failed", `Kafka refused the password of ${refusal.user}: ${why}`);
  } finally {
    await connection.disconnect();
  }
}

async function upsertion([name, password]: readonly [string, string]): Promise<Encoder> {
  const salt = randomBytes(24);
  const salted = await derive(password, salt, ITERATIONS, SHA512_BYTES, "sha512");
  return newEncoder()
    .writeUVarIntString(name)
    .writeInt8(SCRAM_SHA_512)
    .writeInt32(ITERATIONS)
    .writeUVarIntBytes(salt)
    .writeUVarIntBytes(salted)
    .writeUVarIntBytes();
}

interface Result {
  readonly user: string | null;
  readonly errorCode: number;
  readonly message: string | null;
}

/** AlterUserScramCredentials, version 0 (KIP-554); the empty bytes are the tagged fields of each structure. */
function alterScramCredentials(upsertions: readonly Encoder[]): Exchange<Result[]> {
  const encoded = newEncoder()
    .writeUVarIntBytes()
    .writeUVarIntArray([])
    .writeUVarIntArray(upsertions)
    .writeUVarIntBytes();
  return exchangeOf({ key: 51, name: "AlterUserScramCredentials" }, encoded, decodeResults);
}

function decodeResults(decoder: Decoder): Result[] {
  decoder.readTaggedFields();
  decoder.readInt32(); // throttle time
  return decoder.readUVarIntArray((one) => {
    const result = {
      user: one.readUVarIntString(),
      errorCode: one.readInt16(),
      message: one.readUVarIntString(),
    };
    one.readTaggedFields();
    return result;
  });
}
