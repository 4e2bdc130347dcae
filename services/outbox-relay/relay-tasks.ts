import type { Kafka } from "kafkajs";
import type { Pool } from "pg";
import { STATIC_TOPIC_NAMES } from "../messages/topics.ts";
import { readTime } from "../platform/db/database-clock.ts";
import { fetchTopicSpans } from "../platform/kafka/topic-offsets.ts";
import type { Logger } from "../platform/logger.ts";
import type { Metrics } from "../platform/metrics.ts";
import { startPeriodic, type Periodic } from "../platform/periodic.ts";
import type { OutboxRelayConfig } from "./config.ts";
import { Reconciler } from "./reconcile/reconciler.ts";
import {
  dropOutboxPartitions,
  forgetHandled,
  makeOutboxPartitions,
} from "./reconcile/store/old-rows.ts";
import { expectations } from "./reconcile/store/reconcile-step.ts";
import { outboxGauges } from "./relay/outbox-metrics.ts";

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
