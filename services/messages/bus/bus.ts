import type { Kafka } from "kafkajs";
import type { Pool } from "pg";
import { systemClock, type Clock } from "../../platform/clock.ts";
import type { JoiningPool } from "../../platform/db/joining-pool.ts";
import { createPool } from "../../platform/db/pool.ts";
import { createKafka } from "../../platform/kafka/kafka-client.ts";
import { createProducer, type Producer } from "../../platform/kafka/producer.ts";
import type { Logger } from "../../platform/logger.ts";
import { createMetrics, type Metrics } from "../../platform/metrics.ts";
import type { MessageSeal } from "../../platform/outbox/message-seal.ts";
import { createOutboxHint, type OutboxHint } from "../../platform/outbox/outbox-hint.ts";
import type { SecretBox } from "../../platform/secret-box.ts";
import type { BusConfig } from "./bus-config.ts";
import { createCodec, type Codec } from "../codec.ts";
import { sealFor } from "./seal-for.ts";
import { whenReconciled } from "./restore-guard.ts";
import type { RetryTopicName } from "../topics.ts";

/** A service's connections to the database, Kafka and the schema registry. */
export interface Bus {
  readonly service: string;
  readonly pool: Pool;
  readonly kafka: Kafka;
  readonly producer: Producer;
  readonly codec: Codec;
  readonly topicPrefix: string;
  readonly sessionTimeoutMs: number;
  readonly hint: OutboxHint;
  readonly seal: MessageSeal;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Resolves once the database is known to lack no effects; checked only once. See `whenReconciled`. */
  reconciled(): Promise<void>;
  close(): Promise<void>;
}

export interface BusOptions {
  readonly config: BusConfig;
  readonly service: string;
  readonly log: Logger;
  readonly signal: AbortSignal;
  /** An existing pool of the service, which the service closes itself. */
  readonly pool?: JoiningPool;
  readonly clock?: Clock;
  /** Needed by services that write or read secret topics. */
  readonly box?: SecretBox;
  /** The delay topics, for services that write to them. */
  readonly retryTopics?: readonly RetryTopicName[];
}

/**
 * Waits for the schema registry, which every message needs; connects to the database and Kafka on first
 * use.
 */
export async function openBus(options: BusOptions): Promise<Bus> {
  const { config, service, log, signal } = options;
  const clock = options.clock ?? systemClock;
  const topicPrefix = config.TOPIC_PREFIX;
  const codec = await createCodec({
    registry: config,
    topicPrefix,
    ...(options.retryTopics === undefined ? {} : { retryTopics: options.retryTopics }),
    signal,
    log,
    clock,
  });
  const { DATABASE_URL: url, DATABASE_ROLE: role, DATABASE_POOL_SIZE: size } = config;
  const pool = options.pool ?? createPool({ url, role, service, size, log });
  const kafka = createKafka({
    brokers: config.KAFKA_BROKERS,
    security: config,
    clientId: service,
    log,
    sessionTimeoutMs: config.KAFKA_SESSION_TIMEOUT,
  });
  const producer = createProducer(kafka, log);
  let reconciled: Promise<void> | null = null;
  return {
    service,
    pool,
    kafka,
    producer,
    codec,
    topicPrefix,
    sessionTimeoutMs: config.KAFKA_SESSION_TIMEOUT,
    hint: createOutboxHint(pool),
    seal: sealFor(topicPrefix, options.box ?? null),
    clock,
    log,
    metrics: createMetrics(service),
    reconciled: () =>
      (reconciled ??= whenReconciled({ db: pool, kafka, topicPrefix, log, signal })),
    close: async () => {
      await producer.stop();
      if (options.pool === undefined) await pool.end();
    },
  };
}
