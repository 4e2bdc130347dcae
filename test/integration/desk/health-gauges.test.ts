import { beforeAll, describe, expect, it } from "@jest/globals";
import type { Bus } from "../../../services/messages/bus/bus.ts";
import { createMetrics } from "../../../services/platform/metrics.ts";
import { queryRows } from "../../../services/platform/db/transaction.ts";
import { HealthReader } from "../../../services/requirement-review/health/health-reader.ts";
import { startHealthSampler } from "../../../services/requirement-review/health/health-sampler.ts";
import { eventually } from "../../support/eventually.ts";
import { MetricsPage } from "../../support/http/metrics-page.ts";
import { endAfterTests } from "../../support/lifetime/end-after-tests.ts";
import { testPlace } from "../../support/product/product.ts";
import { openTestBus } from "../../support/stack/test-bus.ts";
import { createTestDatabase } from "../../support/stack/test-stack.ts";
import { createTestTopics } from "../../support/stack/test-topics.ts";

const MINUTE = new Date("2031-05-01T12:00:00Z");
const LAG = "consumer_group_lag_messages";

let bus: Bus;

/** One desk process's sampler at a time; the returned function reads its metrics. */
function startSampler(now: Date): () => Promise<MetricsPage> {
  const metrics = createMetrics("requirement-review");
  const own = { ...bus, metrics, clock: { now: () => now } };
  const sampler = startHealthSampler(own, new HealthReader(own, new Map()));
  endAfterTests(() => sampler.stop());
  return async () => new MetricsPage((await metrics.page()).text);
}

beforeAll(async () => {
  const place = testPlace(await createTestDatabase());
  const topicPrefix = await createTestTopics({ partitions: 1 });
  bus = await openTestBus({ ...place, topicPrefix });
  const topic = `${topicPrefix}porting.review-results`;
  const value = Buffer.from("never read");
  await bus.producer.send(
    [1, 2, 3].map(() => ({ topic, key: Buffer.from("k"), value, messageId: crypto.randomUUID() })),
  );
  const admin = bus.kafka.admin();
  await admin.connect();
  const groupId = `${topicPrefix}order-lifecycle`;
  await admin.setOffsets({ groupId, topic, partitions: [{ partition: 0, offset: "1" }] });
  await admin.disconnect();
});

describe("the health sample in the metrics", () => {
  it("is that of one process in all of them, with the lag that Kafka reports", async () => {
    const pages = [startSampler(MINUTE), startSampler(MINUTE)];
    for (const page of pages) {
      await eventually(async () => {
        const shown = await page();
        const group = { group: "order-lifecycle", topic: "porting.review-results" };
        expect(shown.sum(LAG, group)).toBe(2);
        expect(shown.sum("health_sample_timestamp_seconds")).toBe(MINUTE.getTime() / 1_000);
        expect(shown.sum("webhook_oldest_undelivered_seconds")).toBe(0);
      });
    }
    const samples = await queryRows(bus.pool, {
      text: "select minute from messaging.health_samples",
    });
    expect(samples).toEqual([{ minute: MINUTE }]);
  });
});
