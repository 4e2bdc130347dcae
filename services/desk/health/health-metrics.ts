import { isRetryTopic } from "../../messages/topics.ts";
import type { Metrics } from "../../platform/metrics.ts";
import { TOPIC_LAG } from "./present-health.ts";
import type { HealthMeasure } from "./rules/health-thresholds.ts";
import type { HealthSample } from "./store/health-samples.ts";

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
