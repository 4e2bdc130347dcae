import { describeByKey } from "../domain/order/store/note-dead-letter.ts";
import { FAN_OUT_CONSUMER } from "../domain/webhook/store/recoverable-deliveries.ts";
import { cancelLeft, SETTLED_AT_ONCE, settleLeft } from "../domain/webhook/store/settle-waiting.ts";
import { openBus, type Bus } from "../messages/bus/bus.ts";
import { startBusHealth } from "../messages/bus/bus-readiness.ts";
import type { RetryStep } from "../messages/retry-schedule.ts";
import { retryTopics } from "../messages/topic-names.ts";
import { startTopicConsumer } from "../messages/bus/topic-consumer.ts";
import { watchPool } from "../platform/db/pool-metrics.ts";
import type { RunningConsumer } from "../platform/kafka/consumer.ts";
import type { Logger } from "../platform/logger.ts";
import { egressRules } from "../platform/net/egress-config.ts";
import type { Egress } from "../platform/net/guarded-connect.ts";
import { startPeriodic, type Periodic } from "../platform/periodic.ts";
import type { RunningService } from "../platform/run-service.ts";
import type { Tracing } from "../platform/tracing/tracing.ts";
import { createSecretBox, parseSecretKeys } from "../platform/secret-box.ts";
import { startAutoPause } from "./auto-pause.ts";
import type { WebhookSenderConfig } from "./config.ts";
import { dropOldDeliveryPartitions, makeDeliveryPartitions } from "./store/delivery-partitions.ts";
import { createDispatchPool } from "./store/dispatch-pool.ts";
import { createDispatcher, type Dispatcher } from "./queue/dispatcher.ts";
import type { Scheduler } from "./queue/scheduler.ts";
import { createSweep } from "./queue/sweep.ts";
import { onAttempts } from "./queue/on-attempts.ts";
import { onEvents } from "./fan-out/on-events.ts";
import { startRecoveries } from "./recovery/start-recoveries.ts";
import { createRetryTimers } from "./retry/retry-timers.ts";
import { startDelayTier } from "./retry/delay-tier.ts";
import { createSenderMetrics, type SenderMetrics } from "./sender-metrics.ts";

const SERVICE = FAN_OUT_CONSUMER;
const HOUR_MS = 3_600_000;
const SWEEP_MS = 1_000;
const SETTLE_MS = 5_000;
const MAX_EVENTS = 500;
/** Together with the consumers' stop these stay within the 20 s drain. */
const ATTEMPTS_GRACE_MS = 7_000;
const RESULTS_GRACE_MS = 2_000;

export interface WebhookSenderOptions {
  readonly config: WebhookSenderConfig;
  readonly log: Logger;
  readonly signal: AbortSignal;
  readonly tracing?: Tracing | null;
}

export async function startWebhookSender(options: WebhookSenderOptions): Promise<RunningService> {
  const { config, log } = options;
  const schedule = config.WEBHOOK_RETRY_SCHEDULE;
  warnWhereOpen(config, log);
  const bus = await openBus({ ...options, service: SERVICE, retryTopics: retryTopics(schedule) });
  const metrics = createSenderMetrics(bus.metrics);
  const timers = createRetryTimers(bus, schedule);
  const dispatchPool = createDispatchPool(config, SERVICE, log);
  watchPool(bus.metrics, "dispatch", dispatchPool);
  const dispatcher = createDispatcher({
    bus,
    pool: dispatchPool,
    box: createSecretBox(parseSecretKeys(config.SECRETS_KEY)),
    egress: egressOf(config),
    schedule,
    concurrency: config.WEBHOOK_CONCURRENCY,
    perHost: config.WEBHOOK_HOST_CONCURRENCY,
    metrics,
    onRecorded: (results, recorded) => timers.set(results, recorded),
  });
  const { scheduler } = dispatcher;
  const tasks = startTasks(bus, { config, scheduler, metrics });
  const consumers = await startConsumers(bus, schedule, scheduler);
  // Readiness does not wait for the delay tiers: the sweeper finds due deliveries.
  const health = await startBusHealth(bus, config, consumers.slice(0, 2));
  return {
    stop: async () => {
      const stopped = Promise.all([
        ...consumers.map((consumer) => consumer.stop()),
        ...tasks.map((task) => task.stop()),
      ]);
      await dispatcher.stop(ATTEMPTS_GRACE_MS, RESULTS_GRACE_MS);
      await stopped;
      await timers.drain();
      await health.stop();
      await dispatchPool.end();
      await bus.close();
    },
  };
}

function egressOf(config: WebhookSenderConfig): Egress {
  return { ...egressRules(config), proxyUrl: config.WEBHOOK_PROXY_URL };
}

function warnWhereOpen(config: WebhookSenderConfig, log: Logger): void {
  if (config.WEBHOOK_ALLOW_HTTP || config.WEBHOOK_ALLOW_CIDRS.length > 0) {
    log.warn("webhooks may go to private addresses or without TLS: WEBHOOK_ALLOW_* is set");
  }
}

interface TaskParts {
  readonly config: WebhookSenderConfig;
  readonly scheduler: Dispatcher["scheduler"];
  readonly metrics: SenderMetrics;
}

function startTasks(bus: Bus, { config, scheduler, metrics }: TaskParts): Periodic[] {
  const { log } = bus;
  return [
    startPeriodic({
      name: "partitions",
      everyMs: HOUR_MS,
      run: () => keepPartitions(bus, config.DELIVERY_RETENTION_DAYS),
      log,
    }),
    startPeriodic({
      name: "sweep",
      everyMs: SWEEP_MS,
      run: createSweep({ bus, schedule: config.WEBHOOK_RETRY_SCHEDULE, scheduler, metrics }),
      log,
    }),
    startPeriodic({
      name: "paused and cancelled",
      everyMs: SETTLE_MS,
      run: () => settleAllLeft(bus),
      log,
    }),
    startAutoPause(bus, config),
    startRecoveries(bus, scheduler),
  ];
}

async function settleAllLeft({ pool, clock }: Bus): Promise<void> {
  while ((await settleLeft(pool, clock.now())) === SETTLED_AT_ONCE);
  while ((await cancelLeft(pool, clock.now())) === SETTLED_AT_ONCE);
}

async function keepPartitions({ pool, clock, log }: Bus, retentionDays: number): Promise<void> {
  await makeDeliveryPartitions(pool, clock.now());
  const dropped = await dropOldDeliveryPartitions(pool, retentionDays, clock.now());
  if (dropped.length > 0) log.info({ dropped }, "old webhook deliveries were dropped");
}

async function startConsumers(
  bus: Bus,
  schedule: readonly RetryStep[],
  scheduler: Pick<Scheduler, "offer" | "rooms" | "begin">,
): Promise<RunningConsumer[]> {
  const steps = new Map(schedule.map((step) => [step.name, step]));
  return Promise.all([
    startTopicConsumer(bus, {
      consumer: SERVICE,
      describe: describeByKey(bus.clock),
      handlers: {
        "porting.events": {
          apply: onEvents(bus, { consumer: SERVICE, scheduler }),
          maxBatch: MAX_EVENTS,
        },
      },
    }),
    startTopicConsumer(bus, {
      consumer: "webhook-dispatch",
      handlers: {
        "porting.webhook-attempts": {
          apply: onAttempts(scheduler),
          maxBatch: MAX_EVENTS,
        },
      },
    }),
    ...[...steps.values()].map((step) => startDelayTier(bus, step, scheduler)),
  ]);
}
