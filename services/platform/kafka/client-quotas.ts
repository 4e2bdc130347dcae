import { createRequire } from "node:module";
import type { Kafka } from "kafkajs";
import { AppError } from "../errors.ts";

/** What a user may cost each broker. */
export interface ClientQuotas {
  /** Bytes a second. */
  readonly producer_byte_rate: number;
  readonly consumer_byte_rate: number;
  /** Of the time of one thread of the broker. */
  readonly request_percentage: number;
}

interface Encoder {
  readonly buffer: Buffer;
  writeString(value: string): Encoder;
  writeDouble(value: number): Encoder;
  writeBoolean(value: boolean): Encoder;
  writeArray(items: readonly Encoder[]): Encoder;
}

interface Decoder {
  readInt16(): number;
  readInt32(): number;
  readString(): string | null;
  readArray<T>(read: (decoder: Decoder) => T): T[];
}

interface Exchange<D> {
  readonly request: {
    readonly apiKey: number;
    readonly apiVersion: number;
    readonly apiName: string;
    readonly encode: () => Promise<Encoder>;
  };
  readonly response: {
    readonly decode: (raw: Buffer) => Promise<D>;
    readonly parse: (data: D) => Promise<D>;
  };
}

interface Cluster {
  connect(): Promise<void>;
  disconnect(): Promise<void>;
  refreshMetadata(): Promise<void>;
  findControllerBroker(): Promise<{
    readonly connectionPool: { send<D>(exchange: Exchange<D>): Promise<D> };
  }>;
}

type CreateCluster = (options: { readonly metadataMaxAge: number }) => Cluster;

const load = createRequire(import.meta.url);
const EncoderOf = load("kafkajs/src/protocol/encoder") as new () => Encoder;
const DecoderOf = load("kafkajs/src/protocol/decoder") as new (raw: Buffer) => Decoder;

const CREATE_CLUSTER = "private:Kafka:createCluster";
const METADATA_MS = 60_000;

/**
 * Sets the quotas of users; may be repeated. kafkajs knows no request for that, but takes one.
 * @throws `stack_failed` with the broker's reason, and what kafkajs throws
 */
export async function setClientQuotas(
  kafka: Kafka,
  users: readonly string[],
  quotas: ClientQuotas,
): Promise<void> {
  if (users.length === 0) return;
  const cluster = clusterOf(kafka);
  try {
    await cluster.connect();
    await cluster.refreshMetadata();
    const { connectionPool } = await cluster.findControllerBroker();
    const results = await connectionPool.send(alterClientQuotas(users, quotas));
    const refusal = results.find(({ errorCode }) => errorCode !== 0);
    if (refusal === undefined) return;
    const why = refusal.message ?? `error ${refusal.errorCode}`;
    throw new AppError("stack_failed", `Kafka refused the quotas: ${why}`);
  } finally {
    await cluster.disconnect();
  }
}

function clusterOf(kafka: Kafka): Cluster {
  const symbol = Object.getOwnPropertySymbols(kafka).find(
    ({ description }) => description === CREATE_CLUSTER,
  );
  const create = (kafka as unknown as Readonly<Record<symbol, CreateCluster>>)[
    symbol ?? Symbol("none")
  ];
  if (create === undefined) throw new TypeError("this kafkajs has no clusters");
  return create({ metadataMaxAge: METADATA_MS });
}

interface Result {
  readonly errorCode: number;
  readonly message: string | null;
}

/** AlterClientQuotas, version 0 (KIP-546). */
export function alterClientQuotas(
  users: readonly string[],
  quotas: ClientQuotas,
): Exchange<Result[]> {
  const operations = Object.entries(quotas).map(([name, value]: [string, number]) =>
    new EncoderOf().writeString(name).writeDouble(value).writeBoolean(false),
  );
  const entries = users.map((user) =>
    new EncoderOf()
      .writeArray([new EncoderOf().writeString("user").writeString(user)])
      .writeArray(operations),
  );
  const encoded = new EncoderOf().writeArray(entries).writeBoolean(false);
  return {
    request: {
      apiKey: 49,
      apiVersion: 0,
      apiName: "AlterClientQuotas",
      encode: () => Promise.resolve(encoded),
    },
    response: {
      decode: (raw) => Promise.resolve(decodeResults(raw)),
      parse: (results) => Promise.resolve(results),
    },
  };
}

function decodeResults(raw: Buffer): Result[] {
  const decoder = new DecoderOf(raw);
  decoder.readInt32(); // throttle time
  return decoder.readArray((one) => {
    const result = { errorCode: one.readInt16(), message: one.readString() };
    one.readArray((entity) => [entity.readString(), entity.readString()]);
    return result;
  });
}
