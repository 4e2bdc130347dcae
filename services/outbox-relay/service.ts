import type { Kafka, RetryOptions } from "kafkajs";
import { busChecks } from "../messages/bus/bus-readiness.ts";
import { sealFor, sendRules } from "../messages/bus/outgoing.ts";
import { guardRestored, whenReconciled } from "../messages/bus/restore-guard.ts";
import { createReadiness, startHealthServer } from "../platform/health.ts";
import { startDatabaseClock } from "../platform/db/database-clock.ts";
import { watchPool } from "../platform/db/pool.ts";
import { createKafka } from "../platform/kafka/kafka-client.ts";
import { createProducer, type ProducerOptions } from "../platform/kafka/producer.ts";
import type { Logger } from "../platform/logger.ts";
import { countDroppedSpans, type Tracing } from "../platform/tracing/tracing.ts";
import { createSecretBox, parseSecretKeys } from "../platform/secret-box.ts";
import { createMetrics } from "../platform/metrics.ts";
import type { RunningService } from "../platform/run-service.ts";
import type { OutboxRelayConfig } from "./config.ts";
import { createRelayPool, openRelayDatabase } from "./relay/relay-database.ts";
import { startRelayTasks } from "./relay-tasks.ts";
import { Relay, systemTiming } from "./relay/relay.ts";

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
