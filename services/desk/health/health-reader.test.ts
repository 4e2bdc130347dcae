import { describe, expect, it } from "@jest/globals";
import { createMetrics } from "../../platform/metrics.ts";
import { healthGauges } from "./health-reader.ts";
import { presentHealth } from "./present-health.ts";

const NOW = new Date("2026-03-02T09:00:00.000Z");
const HOUR_AGO = new Date(NOW.getTime() - 3_600_000).toISOString();

/** The gauges of a sample of these readings, without the metrics of the process. */
function openGauges() {
  const metrics = createMetrics("test");
  const show = healthGauges(metrics);
  return async (readings: Partial<Parameters<typeof presentHealth>[0]>): Promise<string[]> => {
    const stored = {
      outbox_depth: 0,
      outbox_oldest_at: null,
      outbox_log_bytes: null,
      dead_letters: 0,
      oldest_delivery: null,
      providers: [],
    };
    const given = {
      stored,
      failingEndpoints: 0,
      stuck: [],
      lags: [],
      samples: [],
      providers: ["manual"],
      now: NOW,
      ...readings,
    };
    show({ minute: NOW, measures: presentHealth(given).measures });
    const { text } = await metrics.page();
    return text
      .split("\n")
      .filter((line) => /^(consumer_|webhook_|provider_|health_)/.test(line))
      .map((line) => line.replace(/,?service="test"/, "").replace("{}", ""));
  };
}

const LAGS = [
  { group: "order-lifecycle", topic: "porting.review-results", messages: 2, members: 1 },
  { group: "order-lifecycle", topic: "porting.carrier-results", messages: 9, members: 1 },
  { group: "webhook-retry-1m", topic: "porting.webhook-retry.1m", messages: 40, members: 1 },
  { group: "somebody-else", topic: "porting.events", messages: 9, members: 1 },
];

describe("the gauges of a health sample", () => {
  it("show the lag by group and topic, retry timers, the oldest webhook and silent providers", async () => {
    const stored = {
      outbox_depth: 0,
      outbox_oldest_at: null,
      outbox_log_bytes: null,
      dead_letters: 0,
      oldest_delivery: {
        delivery_id: "d",
        account: { id: "a", name: "Acme" },
        url: "https://acme.example/hooks",
        created_at: HOUR_AGO,
      },
      providers: [
        {
          provider: "sandbox",
          last_word_at: null,
          porting_order_id: null,
          waiting_since: HOUR_AGO,
        },
      ],
    };
    expect(await openGauges()({ stored, lags: LAGS })).toEqual([
      'consumer_group_lag_messages{group="order-lifecycle",topic="porting.review-results"} 2',
      'consumer_group_lag_messages{group="order-lifecycle",topic="porting.carrier-results"} 9',
      'webhook_retry_timers{topic="porting.webhook-retry.1m"} 40',
      "webhook_oldest_undelivered_seconds 3600",
      'provider_silence_seconds{provider="manual"} 0',
      'provider_silence_seconds{provider="sandbox"} 3600',
      `health_sample_timestamp_seconds ${NOW.getTime() / 1_000}`,
    ]);
  });

  it("are removed where a sample lacks them, such as the lag while the broker is away", async () => {
    const gauges = openGauges();
    await gauges({ lags: LAGS });
    expect(await gauges({ lags: null, providers: [] })).toEqual([
      "webhook_oldest_undelivered_seconds 0",
      `health_sample_timestamp_seconds ${NOW.getTime() / 1_000}`,
    ]);
  });
});
