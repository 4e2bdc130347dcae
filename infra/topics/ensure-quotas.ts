import type { Kafka } from "kafkajs";
import { providerUser } from "../../services/messages/bus/topic-rights.ts";
import { AppError } from "../../services/platform/errors.ts";
import { createKafka } from "../../services/platform/kafka/kafka-client.ts";
import {
  exchangeOf,
  newEncoder,
  type Decoder,
  type Exchange,
} from "../local-stack/protocol-exchange.ts";
import type { KafkaSecurity } from "../../services/platform/kafka/client-security.ts";
import { createLogger } from "../../services/platform/logger.ts";

/** What a user may cost each broker. */
interface ClientQuotas {
  /** Bytes a second. */
  readonly producer_byte_rate: number;
  readonly consumer_byte_rate: number;
  /** Of the time of one thread of the broker. */
  readonly request_percentage: number;
}

/** What kafkajs' clients connect with. */
interface Cluster {
  connect(): Promise<void>;
  disconnect(): Promise<void>;
  refreshMetadata(): Promise<void>;
  findControllerBroker(): Promise<{
    readonly connectionPool: { send<D>(exchange: Exchange<D>): Promise<D> };
  }>;
}

type CreateCluster = (options: { readonly metadataMaxAge: number }) => Cluster;

const CREATE_CLUSTER = "private:Kafka:createCluster";
const METADATA_MS = 60_000;

/**
 * Sets the quotas of users; may be repeated. kafkajs knows no request for that, but takes one.
 * @throws `stack_failed` with the broker's reason, and what kafkajs throws
 */
async function setClientQuotas(
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

/** For requests that kafkajs' clients do not make. */
export function clusterOf(kafka: Kafka): Cluster {
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
    newEncoder().writeString(name).writeDouble(value).writeBoolean(false),
  );
  const entries = users.map((user) =>
    newEncoder()
      .writeArray([newEncoder().writeString("user").writeString(user)])
      .writeArray(operations),
  );
  const encoded = newEncoder().writeArray(entries).writeBoolean(false);
  return exchangeOf({ key: 49, name: "AlterClientQuotas" }, encoded, decodeResults);
}

function decodeResults(decoder: Decoder): Result[] {
  decoder.readInt32(); // throttle time
  return decoder.readArray((one) => {
    const result = { errorCode: one.readInt16(), message: one.readString() };
    one.readArray((entity) => [entity.readString(), entity.readString()]);
    return result;
  });
}

/** Some 3,000 calls a second, and half of a thread's time. */
const QUOTAS: ClientQuotas = {
  producer_byte_rate: 1024 * 1024,
  consumer_byte_rate: 4 * 1024 * 1024,
  request_percentage: 50,
};

const RETRY = { initialRetryTime: 100, maxRetryTime: 1_000, retries: 5 };

interface QuotasPlace {
  readonly brokers: readonly string[];
  readonly security: KafkaSecurity;
  readonly providers: readonly string[];
}

/**
 * Limits what the user of each provider may cost a broker; returns a line about it. A broker that others run may take no
 * quotas from us: the line says so, and the deployment goes on.
 */
export async function ensureQuotas({ brokers, security, providers }: QuotasPlace): Promise<string> {
  const log = createLogger("topics", "silent");
  const kafka = createKafka({ brokers, security, clientId: "topics", retry: RETRY, log });
  try {
    await setClientQuotas(kafka, providers.map(providerUser), QUOTAS);
    return `quotas: set for ${providers.length} providers`;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return `quotas: warning: not set (${why}): see “Quotas” in docs/operations.md`;
  }
}
