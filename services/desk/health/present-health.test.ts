import { describe, expect, it } from "@jest/globals";
import { presentHealth, type HealthReadings } from "./present-health.ts";

const NOW = new Date("2026-03-02T09:00:00.000Z");
const MINUTE_MS = 60_000;
const HOURS = 3_600;

const ago = (seconds: number): string => new Date(NOW.getTime() - seconds * 1_000).toISOString();

function readings(changed: Partial<HealthReadings> = {}): HealthReadings {
  const stored = {
    outbox_depth: 0,
    outbox_oldest_at: null,
    outbox_log_bytes: null,
    dead_letters: 0,
    oldest_delivery: null,
    providers: [],
  };
  const none = { failingEndpoints: 0, stuck: [], lags: [], samples: [] };
  return { stored, ...none, providers: ["manual"], now: NOW, ...changed };
}

function withStored(stored: Partial<HealthReadings["stored"]>): HealthReadings {
  const all = readings();
  return { ...all, stored: { ...all.stored, ...stored } };
}

describe("the health", () => {
  it("is ok without anything to do, and names providers that have said nothing yet", () => {
    const { answer } = presentHealth(readings());
    expect(answer).toMatchObject({
      status: "ok",
      consumer_groups: [],
      retry_tiers: [],
      outbox: { depth: 0, oldest_age_seconds: 0, status: "ok" },
      oldest_undelivered_webhook: { delivery: null, age_seconds: 0, status: "ok" },
      providers: [{ provider: "manual", last_word_at: null, silent_seconds: 0, status: "ok" }],
    });
  });

  it("is slow while dead letters are open", () => {
    const { answer } = presentHealth(withStored({ dead_letters: 3 }));
    expect(answer).toMatchObject({ status: "slow", dead_letters: 3 });
  });

  it("is slow while endpoints fail, though all that waits is new", () => {
    const { answer } = presentHealth(readings({ failingEndpoints: 2 }));
    expect(answer).toMatchObject({ status: "slow", failing_endpoints: 2 });
  });

  it("has the lag of our own groups alone", () => {
    const lags = [
      { group: "order-lifecycle", topic: "porting.review-results", messages: 2, members: 1 },
      { group: "order-lifecycle", topic: "porting.carrier-results", messages: 1_000, members: 1 },
      { group: "somebody-else", topic: "porting.events", messages: 9, members: 1 },
      { group: "sandbox-carrier", topic: "carriers.requests", messages: 9, members: 1 },
    ];
    const { answer } = presentHealth(readings({ lags }));
    expect(answer.consumer_groups).toEqual([
      {
        group: "order-lifecycle",
        lag: 1_002,
        members: 1,
        topics: [
          { topic: "porting.review-results", lag: 2 },
          { topic: "porting.carrier-results", lag: 1_000 },
        ],
        status: "slow",
        last_hour: [],
      },
    ]);
    expect(answer.status).toBe("slow");
  });

  it("has a group that nobody reads for as stuck, if anything is left to read", () => {
    const of = (messages: number, members: number) =>
      presentHealth(
        readings({
          lags: [{ group: "carrier-adapter", topic: "carriers.updates", messages, members }],
        }),
      ).answer.status;
    expect([of(1, 0), of(0, 0), of(1, 1)]).toEqual(["stuck", "ok", "ok"]);
  });

  it("has partitions on which readers end, or a schema is missing, as stuck", () => {
    const place = { consumer: "carrier-adapter", topic: "carriers.updates", partition: 3 };
    const at = { ...place, offset: 17, since: NOW };
    const stuck = [
      { ...at, readers: 2, waits_for: null },
      { ...at, readers: 1, waits_for: "unknown_schema" },
    ];
    const { answer } = presentHealth(readings({ stuck }));
    expect(answer.stuck_partitions).toMatchObject([
      { ...place, offset: 17, reason: "readers_ended", since: NOW.toISOString() },
      { reason: "unknown_schema" },
    ]);
    expect(answer.status).toBe("stuck");
  });

  it("shows retry timers as tiers, which are not stuck for waiting", () => {
    const topic = "porting.webhook-retry.1m";
    const lags = [{ group: "webhook-retry-1m", topic, messages: 3, members: 1 }];
    const samples = Array.from({ length: 6 }, (_, n) => ({
      minute: new Date(NOW.getTime() - (6 - n) * MINUTE_MS),
      measures: { "retry_depth webhook-retry-1m": 3, [`retry_depth ${topic}`]: 3 },
    }));
    const { answer } = presentHealth(readings({ lags, samples }));
    expect(answer.retry_tiers).toMatchObject([{ topic, depth: 3, status: "ok" }]);
    expect(answer.retry_tiers?.[0]?.last_hour).toHaveLength(6);
    expect(answer.status).toBe("ok");
  });

  it("lets the outbox be stuck by its oldest message, and shows both last hours", () => {
    const minute = new Date(NOW.getTime() - MINUTE_MS);
    const samples = [{ minute, measures: { outbox_depth: 7, outbox_age: 60 } }];
    const stored = withStored({ outbox_depth: 1, outbox_oldest_at: ago(600) });
    const { answer, measures } = presentHealth({ ...stored, samples });
    const at = minute.toISOString();
    expect(answer.outbox).toEqual({
      depth: 1,
      oldest_age_seconds: 600,
      log_bytes: 0,
      status: "stuck",
      last_hour: [{ at, value: 7 }],
      oldest_age_last_hour: [{ at, value: 60 }],
    });
    expect(measures).toMatchObject({ outbox_depth: 1, outbox_age: 600 });
  });

  it("lets the outbox be stuck by the log that is kept for it", () => {
    const { answer } = presentHealth(withStored({ outbox_log_bytes: 3_500_000_000 }));
    expect(answer.outbox).toMatchObject({ depth: 0, log_bytes: 3_500_000_000, status: "stuck" });
  });

  it("counts a provider's silence only while an order waits, from the later of both", () => {
    const silence = (last_word_at: string | null, waiting_since: string | null) =>
      presentHealth(
        withStored({
          providers: [{ provider: "manual", porting_order_id: null, last_word_at, waiting_since }],
        }),
      ).answer.providers.map(({ silent_seconds, status }) => [silent_seconds, status]);
    expect(silence(ago(80 * HOURS), null)).toEqual([[0, "ok"]]);
    expect(silence(ago(80 * HOURS), ago(30 * HOURS))).toEqual([[30 * HOURS, "slow"]]);
    expect(silence(ago(2), ago(80 * HOURS))).toEqual([[2, "ok"]]);
    expect(silence(null, ago(80 * HOURS))).toEqual([[80 * HOURS, "stuck"]]);
  });

  it("reports the rest where the broker does not answer", () => {
    const { answer } = presentHealth(readings({ lags: null }));
    expect([answer.consumer_groups, answer.retry_tiers, answer.status]).toEqual([null, null, "ok"]);
  });
});
