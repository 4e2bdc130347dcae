import { describeByKey } from "../domain/order/store/timeline.ts";
import { FAN_OUT_CONSUMER } from "../domain/webhook/store/delivery-targets.ts";
import { cancelLeft, SETTLED_AT_ONCE, settleLeft } from "../domain/webhook/store/settle-waiting.ts";
import { openConsumingBus, type Bus } from "../messages/bus/bus.ts";
import type { RetryStep } from "../messages/retry-schedule.ts";
import { retryTopics } from "../messages/topics.ts";
import { startTopicConsumer } from "../messages/bus/topic-consumer.ts";
import { inTransaction } from "../platform/db/transaction.ts";
import type { RunningConsumer } from "../platform/kafka/consumer.ts";
import type { Logger } from "../platform/logger.ts";
import { startPeriodic, type Periodic } from "../platform/periodic.ts";
import type { RunningService } from "../platform/run-service.ts";
import type { Tracing } from "../platform/tracing/tracing.ts";
import type { WebhookSenderConfig } from "./config.ts";
import { dropOldDeliveryPartitions, makeDeliveryPartitions } from "./store/delivery-partitions.ts";
import { createDispatcher, createFanOutPool } from "./queue/dispatcher.ts";
import type { Scheduler } from "./queue/scheduler.ts";
import { createSweep, wakeQueues } from "./queue/wake-queues.ts";
import { PRIORITIES } from "./queue/endpoint-queue.ts";
import { onEvents } from "./fan-out/on-events.ts";
import { startNotices, type Notices } from "./notices/notices.ts";
import { startRecoveries } from "./recovery/start-recoveries.ts";
import { startDelayTier } from "./retry/retry-timers.ts";
import { createSenderMetrics } from "./sender-metrics.ts";
import { pauseFailingEndpoints } from "./store/pause-failing-endpoints.ts";

const SERVICE = FAN_OUT_CONSUMER;
const HOUR_MS = 3_600_000;
const SWEEP_MS = 1_000;
const SETTLE_MS = 5_000;
const MAX_BATCH = 500;

export interface WebhookSenderOptions {
  readonly config: WebhookSenderConfig;
  readonly log: Logger;
  readonly signal: AbortSignal;
  readonly tracing?: Tracing | null;
}

export async function startWebhookSender(options: WebhookSenderOptions): Promise<RunningService> {
  const { config, log } = options;
  const schedule = config.WEBHOOK_RETRY_SCHEDULE;
  if (config.WEBHOOK_ALLOW_HTTP || config.WEBHOOK_ALLOW_CIDRS.length > 0) {
    log.warn("webhooks may go to private addresses or without TLS: WEBHOOK_ALLOW_* is set");
  }
  const pool = createFanOutPool(config, log);
  const topics = { service: SERVICE, retryTopics: retryTopics(schedule) };
  const { bus, waitsFor, close } = await openConsumingBus({ ...options, ...topics, pool });
  const metrics = createSenderMetrics(bus.metrics);
  const dispatcher = createDispatcher(bus, config, metrics);
  const { scheduler } = dispatcher;
  const sweep = createSweep({ bus, schedule, scheduler, metrics });
  const notices = await startNotices(bus, config);
  // Before the consumers, which may wait for Kafka: what is due needs it no longer.
  const tasks = [
    ...startTasks(bus, config, sweep),
    startAutoPause(bus, config, notices),
    startRecoveries(bus, scheduler),
    ...(notices === null ? [] : [notices]),
  ];
  const consumers = await startConsumers(bus, schedule, { scheduler, notices });
  // Readiness does not wait for the delay tiers: the sweep finds due deliveries.
  waitsFor(consumers.slice(0, 2));
  return {
    stop: async () => {
      const stopped = Promise.all([
        ...consumers.map((consumer) => consumer.stop()),
        ...tasks.map((task) => task.stop()),
      ]);
      await dispatcher.stop();
      await stopped;
      await dispatcher.close();
      await close();
    },
  };
}

function startTasks(bus: Bus, config: WebhookSenderConfig, sweep: () => Promise<void>): Periodic[] {
  const partitions = () => maintainPartitions(bus, config.DELIVERY_RETENTION_DAYS);
  const tasks = [
    { name: "partitions", everyMs: HOUR_MS, run: partitions },
    { name: "sweep", everyMs: SWEEP_MS, run: sweep },
    { name: "paused and cancelled", everyMs: SETTLE_MS, run: () => settleAllLeft(bus) },
  ];
  return tasks.map((task) => startPeriodic({ ...task, log: bus.log }));
}

async function settleAllLeft({ pool, clock }: Bus): Promise<void> {
  while ((await settleLeft(pool, clock.now())) === SETTLED_AT_ONCE);
  while ((await cancelLeft(pool, clock.now())) === SETTLED_AT_ONCE);
}

async function maintainPartitions({ pool, clock, log }: Bus, retentionDays: number): Promise<void> {
  await makeDeliveryPartitions(pool, clock.now());
  const dropped = await dropOldDeliveryPartitions(pool, retentionDays, clock.now());
  if (dropped.length > 0) log.info({ dropped }, "old webhook deliveries were dropped");
}

async function startConsumers(
  bus: Bus,
  schedule: readonly RetryStep[],
  work: {
    readonly scheduler: Pick<Scheduler, "wake" | "rooms" | "begin">;
    readonly notices: Notices | null;
  },
): Promise<RunningConsumer[]> {
  const { scheduler } = work;
  const steps = new Map(schedule.map((step) => [step.name, step]));
  const events = onEvents(bus, SERVICE, work);
  return Promise.all([
    startTopicConsumer(bus, {
      consumer: SERVICE,
      describe: describeByKey(bus.clock),
      handlers: { "porting.events": { apply: events, maxBatch: MAX_BATCH } },
    }),
    startTopicConsumer(bus, {
      consumer: "webhook-dispatch",
      handlers: {
        "porting.webhook-attempts": {
          apply: wakeQueues(scheduler, PRIORITIES.first),
          maxBatch: MAX_BATCH,
        },
      },
    }),
    ...[...steps.values()].map((step) => startDelayTier(bus, step, scheduler)),
  ]);
}

const EVERY_MS = 15_000;

/** Pauses endpoints that have failed for a long time, unless auto-pause is switched off. */
export function startAutoPause(
  bus: Bus,
  config: WebhookSenderConfig,
  notices: Pick<Notices, "ofPaused"> | null,
): Periodic {
  const { pool, clock, log, metrics } = bus;
  const paused = metrics.counter({
    name: "webhook_endpoints_paused_total",
    help: "Endpoints that were paused because they have failed for a long time",
  });
  const rule = {
    afterMs: config.WEBHOOK_PAUSE_AFTER,
    failedDeliveries: config.WEBHOOK_PAUSE_FAILED,
    spanMs: config.WEBHOOK_PAUSE_SPAN,
  };
  if (rule.afterMs === 0) return { stop: () => Promise.resolve() };
  return startPeriodic({
    name: "auto-pause",
    everyMs: EVERY_MS,
    run: async () => {
      const found =
        notices === null
          ? await pauseFailingEndpoints(pool, rule, clock.now())
          : await inTransaction(pool, async (tx) => {
              const endpoints = await pauseFailingEndpoints(tx, rule, clock.now());
              await notices.ofPaused(tx, endpoints);
              return endpoints;
            });
      for (const { id, account_id } of found) {
        paused.inc();
        log.warn({ webhook_endpoint_id: id, account_id }, "a failing webhook endpoint was paused");
      }
    },
    log,
  });
}
