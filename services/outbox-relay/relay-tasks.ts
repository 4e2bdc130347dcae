import type { Kafka } from "kafkajs";
import type { Pool } from "pg";
import { readTime } from "../platform/db/database-clock.ts";
import type { Logger } from "../platform/logger.ts";
import type { Metrics } from "../platform/metrics.ts";
import { startPeriodic, type Periodic } from "../platform/periodic.ts";
import type { OutboxRelayConfig } from "./config.ts";
import { forgetHandled } from "./reconcile/store/forget-handled.ts";
import { KnownEnds } from "./relay/store/known-ends.ts";
import { outboxGauges } from "./relay/outbox-metrics.ts";
import { dropOutboxPartitions, makeOutboxPartitions } from "./relay/store/outbox-partitions.ts";
import { expectations } from "./reconcile/store/reconcile-step.ts";
import { Reconciler } from "./reconcile/reconciler.ts";
import { watchTopics } from "./topic-reset/topic-watch.ts";

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

/** The relay's periodic tasks: reconciling, watching the topics, maintaining partitions, measuring. */
export function startRelayTasks(options: RelayTaskOptions): readonly Periodic[] {
  const { config, pool, metrics, log } = options;
  const tasks = [
    { name: "reconcile", everyMs: config.RECONCILE_INTERVAL, run: reconciling(options) },
    { name: "topics", everyMs: config.RECONCILE_INTERVAL, run: watchingTopics(options) },
    { name: "partitions", everyMs: HOUR_MS, run: partitioning(options) },
    { name: "measure", everyMs: MEASURE_MS, run: outboxGauges(pool, metrics, config.TOPIC_PREFIX) },
  ];
  return tasks.map((task) => startPeriodic({ ...task, log }));
}

function reconciling({ config, pool, relay, metrics, log }: RelayTaskOptions) {
  const mayGoOn = () => relay.isReader();
  const reconciler = new Reconciler({
    pool,
    expected: expectations(config.TOPIC_PREFIX),
    afterMs: config.RECONCILE_AFTER,
    mayGoOn,
    onDeferred: () => relay.readNotes(),
    log,
    reconciled: metrics.counter({
      name: "reconciled_total",
      help: "Outbox rows sent again because their effect was missing",
    }),
  });
  return async () => {
    if (mayGoOn()) await reconciler.run();
  };
}

function watchingTopics({ config, pool, kafka, relay, metrics, log }: RelayTaskOptions) {
  const mayGoOn = () => relay.isReader();
  const knownEnds = new KnownEnds(pool, config.TOPIC_PREFIX);
  const watch = {
    pool,
    kafka,
    topicPrefix: config.TOPIC_PREFIX,
    knownEnds,
    mayGoOn,
    onDeferred: () => relay.readNotes(),
    log,
    remade: metrics.counter({
      name: "topics_remade_total",
      help: "Topics found to end before an offset known to the database: recreated or truncated",
    }),
  };
  return async () => {
    if (mayGoOn()) await watchTopics(watch);
    // The process that watches meanwhile may find a recreated topic.
    else knownEnds.forget();
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
