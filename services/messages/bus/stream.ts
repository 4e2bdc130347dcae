import type { Kafka } from "kafkajs";
import type { RegistryAccess } from "../../platform/avro/registry-connection.ts";
import { systemClock, type Clock } from "../../platform/clock.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { createReadiness, startHealthServer } from "../../platform/health.ts";
import type { KafkaSecurity } from "../../platform/kafka/client-security.ts";
import type { RunningConsumer } from "../../platform/kafka/consumer.ts";
import { createKafka } from "../../platform/kafka/kafka-client.ts";
import { createProducer, type Producer } from "../../platform/kafka/producer.ts";
import type { Logger } from "../../platform/logger.ts";
import { createMetrics } from "../../platform/metrics.ts";
import { countDroppedSpans, type Tracing } from "../../platform/tracing/tracing.ts";
import { createCodec, type Codec } from "../codec.ts";
import type { RetryTopicName } from "../topics.ts";
import { failsUnless, joinedCheck, type HealthAddress } from "./bus-readiness.ts";
import { sendRules } from "./outgoing.ts";

export interface StreamConfig extends KafkaSecurity, RegistryAccess {
  readonly KAFKA_BROKERS: readonly string[];
  readonly TOPIC_PREFIX: string;
  readonly KAFKA_SESSION_TIMEOUT: number;
}

/** A service's connections to Kafka and the schema registry: all that an integration has. */
export interface Stream {
  readonly service: string;
  readonly kafka: Kafka;
  readonly producer: Producer;
  readonly codec: Codec;
  readonly topicPrefix: string;
  readonly sessionTimeoutMs: number;
  readonly clock: Clock;
  readonly log: Logger;
  readonly tracing: Tracing | null;
}

export interface StreamOptions {
  readonly config: StreamConfig;
  readonly service: string;
  readonly log: Logger;
  readonly signal: AbortSignal;
  readonly clock?: Clock;
  readonly tracing?: Tracing | null;
  /** The delay topics, for services that write to them. */
  readonly retryTopics?: readonly RetryTopicName[];
  /** The service's database, which keeps the ids of the message schemas. */
  readonly idStore?: Queryable;
}

/**
 * Waits for the schema registry, which every message needs, or for the ids that were kept; connects to Kafka on first
 * use.
 */
export async function openStream(options: StreamOptions): Promise<Stream> {
  const { config, service, log, signal, clock = systemClock, retryTopics, idStore } = options;
  const { tracing = null } = options;
  const { TOPIC_PREFIX: topicPrefix, KAFKA_SESSION_TIMEOUT: sessionTimeoutMs } = config;
  const codec = await createCodec({
    registry: config,
    topicPrefix,
    ...(retryTopics === undefined ? {} : { retryTopics }),
    ...(idStore === undefined ? {} : { idStore }),
    signal,
    log,
    clock,
  });
  const kafka = createKafka({
    brokers: config.KAFKA_BROKERS,
    security: config,
    clientId: service,
    log,
    sessionTimeoutMs,
  });
  const producer = createProducer(kafka, {
    ...{ clock, log, tracing },
    ...sendRules(topicPrefix),
  });
  return { service, kafka, producer, codec, topicPrefix, sessionTimeoutMs, clock, log, tracing };
}

interface IntegrationOptions extends StreamOptions {
  readonly config: StreamConfig & HealthAddress;
}

/** The connections of a service without a database, and its health server. */
interface Integration {
  readonly stream: Stream;
  /** It is ready once this consumer has joined its group. */
  waitsFor(consumer: RunningConsumer): void;
  /** After the consumer has stopped. */
  close(): Promise<void>;
}

/** Listens first, because the registry may be away for long; then waits for the stream. */
export async function openIntegration(options: IntegrationOptions): Promise<Integration> {
  const { config, service, log, tracing = null } = options;
  const metrics = createMetrics(service);
  countDroppedSpans(metrics, tracing);
  let [stream, consumer]: [Stream | null, RunningConsumer | null] = [null, null];
  const hasSchemas = (): boolean => stream !== null;
  const isJoined = (): boolean => consumer?.isJoined() === true;
  const checks = {
    registry: failsUnless(hasSchemas, "registry_unavailable", "The schemas have no ids yet."),
    ...joinedCheck(isJoined),
  };
  const health = await startHealthServer({
    host: config.LISTEN_HOST,
    port: config.HEALTH_PORT,
    readiness: createReadiness(checks, { log, metrics }),
    metrics,
  });
  try {
    stream = await openStream(options);
  } catch (error) {
    await health.stop();
    throw error;
  }
  const { producer } = stream;
  return {
    stream,
    waitsFor: (joining) => {
      consumer = joining;
    },
    close: async () => {
      await producer.stop();
      await health.stop();
    },
  };
}
