import type { Kafka, RetryOptions } from "kafkajs";
import { busChecks } from "../messages/bus/bus-readiness.ts";
import { sealFor, sendRules } from "../messages/bus/outgoing.ts";
import { guardRestored, whenReconciled } from "../messages/bus/restore-guard.ts";
import { createReadiness, startHealthServer } from "../platform/health.ts";
import { startDatabaseClock, readTime } from "../platform/db/database-clock.ts";
import { watchPool } from "../platform/db/pool.ts";
import { createKafka } from "../platform/kafka/kafka-client.ts";
import { createProducer, type ProducerOptions } from "../platform/kafka/producer.ts";
import type { Logger } from "../platform/logger.ts";
import { countDroppedSpans, type Tracing } from "../platform/tracing/tracing.ts";
import { createSecretBox, parseSecretKeys } from "../platform/secret-box.ts";
import { createMetrics, type Metrics } from "../platform/metrics.ts";
import type { RunningService } from "../platform/run-service.ts";
import type { OutboxRelayConfig } from "./config.ts";
import { createRelayPool, openRelayDatabase } from "./relay/relay-database.ts";
import { Relay, systemTiming } from "./relay/relay.ts";
import type { Pool } from "pg";
import { STATIC_TOPIC_NAMES } from "../messages/topics.ts";
import { fetchTopicSpans } from "../platform/kafka/topic-offsets.ts";
import { startPeriodic, type Periodic } from "../platform/periodic.ts";
import { Reconciler } from "./reconcile/reconciler.ts";
import {
  dropOutboxPartitions,
  forgetHandled,
  makeOutboxPartitions,
} from "./reconcile/store/old-rows.ts";
import { expectations } from "./reconcile/store/reconcile-step.ts";
import { outboxGauges } from "./relay/outbox-metrics.ts";

const SERVICE = "outbox-relay";
/**
 * Some 6 s for a topic that is missing or without a leader, in which another broker leads the partitions of a dead one;
 * then all is sent again.
 */
const SEND_RETRIES = 8;
/** A third of a second, for the same. */
const TRIAL_RETRIES = 2;

export interface OutboxRelayOptions {
  readonly config: OutboxRelayConfig;
  readonly log: Logger;
  /** Ends the wait for the database's time. */
  readonly signal: AbortSignal;
  readonly tracing?: Tracing | null;
}

export async function startOutboxRelay(options: OutboxRelayOptions): Promise<RunningService> {
  const { config, log, signal, tracing = null } = options;
  const { DATABASE_URL: url, DATABASE_ROLE: role, TOPIC_PREFIX: topicPrefix } = config;
  const connection = { url, role, service: SERVICE, log };
  const metrics = createMetrics(SERVICE);
  countDroppedSpans(metrics, tracing);
  const pool = createRelayPool(connection);
  watchPool(metrics, "main", pool);
  const kafka = openKafka(config, log);
  const stopping = new AbortController();
  const time = await startDatabaseClock(pool, { log, signal });
  const producers = openProducers(config, { clock: time.clock, log, tracing });
  const reconciled = whenReconciled({ db: pool, kafka, topicPrefix, log, signal: stopping.signal });
  const guard = await guardRestored(reconciled, log);
  const database = openRelayDatabase(pool, connection, {
    url: config.DATABASE_REPLICATION_URL ?? url,
    signal: stopping.signal,
  });
  const relay = new Relay({
    database,
    ...producers,
    seal: sealFor(topicPrefix, createSecretBox(parseSecretKeys(config.SECRETS_KEY))),
    clock: time.clock,
    timing: systemTiming,
    mayStart: () => guard.isPassed(),
    log,
    relayed: metrics.counter({ name: "relayed_total", help: "Outbox rows sent" }),
  });
  const tasks = startRelayTasks({ config, pool, kafka, relay, metrics, log });
  const { LISTEN_HOST: host, HEALTH_PORT: port } = config;
  const readiness = createReadiness(busChecks({ pool }), { log, metrics });
  const health = await startHealthServer({ host, port, readiness, metrics });
  return {
    stop: async () => {
      stopping.abort();
      await relay.stop();
      await Promise.all(Object.values(producers).map((producer) => producer.stop()));
      await time.stop();
      await Promise.all(tasks.map((task) => task.stop()));
      await health.stop();
      await database.end();
      await pool.end();
    },
  };
}

function openKafka(config: OutboxRelayConfig, log: Logger, retry: RetryOptions = {}): Kafka {
  const { KAFKA_BROKERS: brokers } = config;
  return createKafka({ brokers, security: config, clientId: SERVICE, log, retry });
}

/** Each with a client of its own, whose retries are also those of its metadata. */
function openProducers(config: OutboxRelayConfig, given: ProducerOptions) {
  const options = { ...given, ...sendRules(config.TOPIC_PREFIX) };
  const withRetries = (retries: number) =>
    createProducer(openKafka(config, options.log, { retries }), options);
  return { producer: withRetries(SEND_RETRIES), trialProducer: withRetries(TRIAL_RETRIES) };
}

const HOUR_MS = 3_600_000;
const MEASURE_MS = 5_000;

export interface RelayTaskOptions {
  readonly config: OutboxRelayConfig;
  readonly pool: Pool;
  readonly kafka: Kafka;
  /** What one process does at a time, the reader of the slot does. */
  readonly relay: { isReader(): boolean; readNotes(): void };
  readonly metrics: Metrics;
  readonly log: Logger;
}

/** The relay's periodic tasks: reconciling, maintaining partitions, measuring. */
export function startRelayTasks(options: RelayTaskOptions): readonly Periodic[] {
  const { config, pool, metrics, log } = options;
  const tasks = [
    { name: "reconcile", everyMs: config.RECONCILE_INTERVAL, run: reconciling(options) },
    { name: "partitions", everyMs: HOUR_MS, run: partitioning(options) },
    { name: "measure", everyMs: MEASURE_MS, run: outboxGauges(pool, metrics, config.TOPIC_PREFIX) },
  ];
  return tasks.map((task) => startPeriodic({ ...task, log }));
}

function reconciling({ config, pool, kafka, relay, metrics, log }: RelayTaskOptions) {
  const topics = STATIC_TOPIC_NAMES.map((name) => config.TOPIC_PREFIX + name);
  const mayGoOn = () => relay.isReader();
  const reconciler = new Reconciler({
    pool,
    expected: expectations(config.TOPIC_PREFIX),
    fetchSpans: () => fetchTopicSpans(kafka, topics),
    afterMs: config.RECONCILE_AFTER,
    mayGoOn,
    onDeferred: () => relay.readNotes(),
    log,
    reconciled: metrics.counter({
      name: "reconciled_total",
      help: "Outbox rows sent again because their effect was missing",
    }),
    remade: metrics.counter({
      name: "topics_remade_total",
      help: "Topics found to end before an offset known to the database: recreated or truncated",
    }),
  });
  return async () => {
    if (mayGoOn()) await reconciler.run();
  };
}

function partitioning({ config, pool, relay, log }: RelayTaskOptions) {
  return async () => {
    // Not this machine's time: what it calls old is dropped.
    const now = new Date(await readTime(pool));
    await makeOutboxPartitions(pool, now);
    await dropOutboxPartitions(pool, now, config.OUTBOX_RETENTION);
    const mayGoOn = () => relay.isReader();
    const rows = await forgetHandled(pool, { now, retentionMs: config.INBOX_RETENTION }, mayGoOn);
    if (rows > 0) log.info({ rows }, "old records of handled messages were deleted");
  };
}
