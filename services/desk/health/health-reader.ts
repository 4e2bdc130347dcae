import { setTimeout as wait } from "node:timers/promises";
import type { Providers } from "../../domain/carrier/rules/provider.ts";
import type { Bus } from "../../messages/bus/bus.ts";
import { isRetryTopic } from "../../messages/topics.ts";
import { listStuckPartitions } from "../../platform/kafka/first-batches.ts";
import { fetchGroupLags, type GroupLag } from "../../platform/kafka/group-positions.ts";
import type { Metrics } from "../../platform/metrics.ts";
import { startPeriodic, type Periodic } from "../../platform/periodic.ts";
import { countFailingEndpoints } from "../webhooks/store.ts";
import { isOurGroup, presentHealth, TOPIC_LAG, type JudgedHealth } from "./present-health.ts";
import type { HealthMeasure } from "./rules/health-thresholds.ts";
import {
  claimMinute,
  listSamples,
  newestSample,
  readStoredHealth,
  storeSample,
  type HealthSample,
} from "./store.ts";

const BROKER_MS = 5_000;
const HOUR_MS = 60 * 60 * 1_000;

/** Reads and judges the health; all who ask meanwhile get the same answer. */
export class HealthReader {
  readonly #bus: Bus;
  readonly #providers: Providers;
  #reading: Promise<JudgedHealth> | null = null;

  constructor(bus: Bus, providers: Providers) {
    this.#bus = bus;
    this.#providers = providers;
  }

  read(): Promise<JudgedHealth> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #read(): Promise<JudgedHealth> {
    const { pool, clock, topicPrefix } = this.#bus;
    const now = clock.now();
    const [stored, failingEndpoints, stuck, samples, lags] = await Promise.all([
      readStoredHealth(pool),
      countFailingEndpoints(pool),
      listStuckPartitions(pool, topicPrefix),
      listSamples(pool, new Date(now.getTime() - HOUR_MS)),
      lagsOrNull(this.#bus),
    ]);
    const providers = [...this.#providers.keys()];
    const withoutPrefix = stuck.map((one) => ({
      ...one,
      topic: one.topic.slice(topicPrefix.length),
    }));
    const read = { stored, failingEndpoints, samples, lags, providers, now };
    return presentHealth({ ...read, stuck: withoutPrefix });
  }
}

/** Null where the broker does not answer in time: the rest of the answer is needed most then. */
async function lagsOrNull(bus: Bus): Promise<readonly GroupLag[] | null> {
  const { topicPrefix: prefix } = bus;
  const given = new AbortController();
  const late = wait(BROKER_MS, null, { signal: given.signal }).catch(() => null);
  const isOurs = (name: string): boolean =>
    name.startsWith(prefix) && isOurGroup(name.slice(prefix.length));
  const fetched = fetchGroupLags(bus.kafka, isOurs).catch((error: unknown) => {
    bus.log.warn({ err: error }, "the broker did not report its consumers' lag");
    return null;
  });
  const lags = await Promise.race([fetched, late]);
  given.abort();
  if (lags === null) return null;
  return lags.map((lag) => ({
    ...lag,
    group: lag.group.slice(prefix.length),
    topic: lag.topic.slice(prefix.length),
  }));
}

const MINUTE_MS = 60_000;
const RETAINED_MINUTES = 60;
/** So that a process that dies within its minute costs one sample at most. */
const EVERY_MS = 10_000;

/**
 * Keeps a sample of the health for each minute of the last hour; whichever process claims the minute measures. The newest
 * is in the metrics of every process.
 */
export function startHealthSampler(bus: Bus, reader: HealthReader): Periodic {
  const { pool, clock, metrics, log } = bus;
  const show = healthGauges(metrics);
  let [tried, shown] = [0, 0];
  const measure = async (time: number): Promise<void> => {
    const minute = new Date(time);
    const isOurs = await claimMinute(pool, minute);
    tried = time;
    if (!isOurs) return;
    const { answer, measures } = await reader.read();
    const retainFrom = new Date(time - (RETAINED_MINUTES - 1) * MINUTE_MS);
    await storeSample(pool, { minute, measures, status: answer.status }, retainFrom);
  };
  const run = async (): Promise<void> => {
    const time = Math.floor(clock.now().getTime() / MINUTE_MS) * MINUTE_MS;
    if (time !== tried) await measure(time);
    if (time === shown) return;
    const newest = await newestSample(pool);
    if (newest === null || newest.minute.getTime() === shown) return;
    shown = newest.minute.getTime();
    show(newest);
  };
  return startPeriodic({ name: "sample of the health", everyMs: EVERY_MS, run, log });
}

type Shown = HealthMeasure | typeof TOPIC_LAG;

/** The gauges of the newest health sample; the returned function sets them all, and removes what it lacks. */
export function healthGauges(metrics: Metrics): (sample: HealthSample) => void {
  const lag = metrics.gauge({
    name: "consumer_group_lag_messages",
    help: "Messages of a topic that a consumer group has yet to handle, as of the newest health sample",
    labels: ["group", "topic"],
  });
  const timers = metrics.gauge({
    name: "webhook_retry_timers",
    help: "Retry timers that have yet to fire, as of the newest health sample",
    labels: ["topic"],
  });
  const undelivered = metrics.gauge({
    name: "webhook_oldest_undelivered_seconds",
    help: "Age of the oldest delivery that is not delivered, as of the newest health sample",
  });
  const silence = metrics.gauge({
    name: "provider_silence_seconds",
    help: "For how long a provider has sent nothing while an order waits for it, as of the newest health sample",
    labels: ["provider"],
  });
  const sampledAt = metrics.gauge({
    name: "health_sample_timestamp_seconds",
    help: "The minute of the newest health sample, in seconds since 1970",
  });
  return ({ minute, measures }) => {
    for (const gauge of [lag, timers, silence]) gauge.reset();
    for (const [name, value] of Object.entries(measures)) {
      const [measure, subject = "", topic = ""] = name.split(" ") as [Shown, string?, string?];
      if (measure === TOPIC_LAG && !isRetryTopic(topic)) lag.set({ group: subject, topic }, value);
      if (measure === "retry_depth" && isRetryTopic(subject)) timers.set({ topic: subject }, value);
      if (measure === "provider_silence") silence.set({ provider: subject }, value);
      if (measure === "delivery_age") undelivered.set(value);
    }
    sampledAt.set(minute.getTime() / 1_000);
  };
}
