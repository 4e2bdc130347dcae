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
} from "./protocol-exchange.ts";
import { KAFKA_ADMIN, type KafkaUsers } from "./logins.ts";

/** What a request of kafkajs or of ours is sent by. */
interface Sender {
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

const ITERATIONS = 4_096;
const SHA512_BYTES = 64;
/** The mechanism's number in the protocol. */
const SCRAM_SHA_512 = 2;

const derive = promisify(pbkdf2);

/**
 * Gives the users their passwords, which the broker stores salted; may be repeated. kafkajs knows no request for
 * that, but takes one.
 * @throws `stack_failed` with the broker's reason
 */
export async function setKafkaPasswords(sender: Sender, users: KafkaUsers): Promise<void> {
  const upsertions = await Promise.all(Object.entries(users).map(upsertion));
  const refusals = await sender.send(alterScramCredentials(upsertions));
  const refusal = refusals.find(({ errorCode }) => errorCode !== 0);
  if (refusal === undefined) return;
  const why = refusal.message ?? `error ${refusal.errorCode}`;
  throw new AppError("stack_failed", `Kafka refused the password of ${refusal.user}: ${why}`);
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

interface UserResult {
  readonly user: string | null;
  readonly errorCode: number;
  readonly message: string | null;
}

/** AlterUserScramCredentials, version 0 (KIP-554); the empty bytes are the tagged fields of each structure. */
function alterScramCredentials(upsertions: readonly Encoder[]): Exchange<UserResult[]> {
  const encoded = newEncoder()
    .writeUVarIntBytes()
    .writeUVarIntArray([])
    .writeUVarIntArray(upsertions)
    .writeUVarIntBytes();
  return exchangeOf({ key: 51, name: "AlterUserScramCredentials" }, encoded, decodeUserResults);
}

function decodeUserResults(decoder: Decoder): UserResult[] {
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

const FEATURE = "share.version";
const OFF = 0;
/** It lowers a level, and only where nothing is lost by it. */
const SAFE_DOWNGRADE = 2;
/**
 * Has the cluster refuse share groups, which nobody here uses and no setting of a broker ends; may be repeated. The
 * cluster keeps it, a folder of an earlier version from its next start on.
 * @throws `stack_failed` with the broker's reason
 */
export async function endShareGroups(sender: Sender): Promise<void> {
  const { errorCode, message } = await sender.send(updateFeatures());
  if (errorCode === 0) return;
  const why = message ?? `error ${errorCode}`;
  throw new AppError("stack_failed", `Kafka refused to end share groups: ${why}`);
}

interface FeatureResult {
  readonly errorCode: number;
  readonly message: string | null;
}

/** UpdateFeatures, version 1 (KIP-778); the empty bytes are the tagged fields of each structure. */
function updateFeatures(): Exchange<FeatureResult> {
  const update = newEncoder()
    .writeUVarIntString(FEATURE)
    .writeInt16(OFF)
    .writeInt8(SAFE_DOWNGRADE)
    .writeUVarIntBytes();
  const encoded = newEncoder()
    .writeUVarIntBytes()
    .writeInt32(TIMEOUT_MS)
    .writeUVarIntArray([update])
    .writeBoolean(false)
    .writeUVarIntBytes();
  return exchangeOf({ key: 57, name: "UpdateFeatures", version: 1 }, encoded, decodeFeatureResult);
}

function decodeFeatureResult(decoder: Decoder): FeatureResult {
  decoder.readTaggedFields();
  decoder.readInt32(); // throttle time
  const whole = { errorCode: decoder.readInt16(), message: decoder.readUVarIntString() };
  const results = decoder.readUVarIntArray((one) => {
    one.readUVarIntString(); // the feature
    const result = { errorCode: one.readInt16(), message: one.readUVarIntString() };
    one.readTaggedFields();
    return result;
  });
  return whole.errorCode !== 0
    ? whole
    : (results.find(({ errorCode }) => errorCode !== 0) ?? whole);
}
