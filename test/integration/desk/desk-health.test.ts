import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { ensureFirstAccess } from "../../../infra/start/credentials.ts";
import { readCarriers } from "../../../services/domain/carrier/read-carriers.ts";
import type { Bus } from "../../../services/messages/bus/bus.ts";
import { createMetrics } from "../../../services/platform/metrics.ts";
import { queryRows } from "../../../services/platform/db/transaction.ts";
import { healthAnswer } from "../../../services/desk/health/answers.ts";
import { HealthReader, startHealthSampler } from "../../../services/desk/health/health-reader.ts";
import { healthRoutes } from "../../../services/desk/health/routes.ts";
import { claimMinute, storeSample } from "../../../services/desk/health/store.ts";
import { call } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import { MetricsPage } from "../../support/http/metrics-page.ts";
import { endAfterTests } from "../../support/lifetime/end-after-tests.ts";
import { storeOrder } from "../../support/orders/store-order.ts";
import { startDeskRoutes, type AccountService } from "../../support/product/account-services.ts";
import { testPlace } from "../../support/product/product.ts";
import { openTestBus } from "../../support/stack/test-bus.ts";
import { createTestDatabase } from "../../support/stack/test-stack.ts";
import { createTestTopics } from "../../support/stack/test-topics.ts";

const MINUTE_MS = 60_000;
const MINUTE = new Date("2031-05-01T12:00:00Z");
const LAG = "consumer_group_lag_messages";
const { providers } = readCarriers("data/carriers");

let bus: Bus;
let desk: AccountService;
let token: string;

/** One desk process's sampler at a time; the returned function reads its metrics. */
function startSampler(now: Date): () => Promise<MetricsPage> {
  const metrics = createMetrics("desk");
  const own = { ...bus, metrics, clock: { now: () => now } };
  const sampler = startHealthSampler(own, new HealthReader(own, providers));
  endAfterTests(() => sampler.stop());
  return async () => new MetricsPage((await metrics.page()).text);
}

beforeAll(async () => {
  const place = testPlace(await createTestDatabase());
  token = (await ensureFirstAccess(place.databaseUrl, null)).desk_token;
  const topicPrefix = await createTestTopics({ partitions: 1 });
  bus = await openTestBus({ ...place, topicPrefix });
  desk = await startDeskRoutes(place.databaseUrl, () =>
    healthRoutes({ health: new HealthReader(bus, providers) }),
  );
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

async function health() {
  const { status, body } = await call(`${desk.url}/desk/v1/health`, { key: token });
  expect(status).toBe(200);
  return healthAnswer.parse(body);
}

const sql = (text: string, values: readonly unknown[] = []) => desk.pool.query(text, [...values]);

const idOf = (rows: unknown): string => z.tuple([z.object({ id: z.string() })]).parse(rows)[0].id;

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
    const { outbox, providers: shown } = await health();
    expect(outbox.last_hour.length).toBeGreaterThan(0);
    expect(shown.map(({ provider }) => provider)).toContain("manual");
  });
});

describe("the desk's health", () => {
  it("keeps an hour of samples, each claimed by one process", async () => {
    const { pool } = desk;
    const minute = new Date(Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - 30 * MINUTE_MS);
    const old = new Date(minute.getTime() - 60 * MINUTE_MS);
    expect(await claimMinute(pool, old)).toBe(true);
    const claims = await Promise.all([1, 2, 3].map(() => claimMinute(pool, minute)));
    expect(claims.filter(Boolean)).toHaveLength(1);
    const measures = { outbox_depth: 41 };
    await storeSample(pool, { minute, measures, status: "ok" }, minute);
    const { outbox } = await health();
    expect(outbox.last_hour).toContainEqual({ at: minute.toISOString(), value: 41 });
    const { rows } = await sql("select 1 from messaging.health_samples where minute = $1", [old]);
    expect(rows).toEqual([]);
  });

  it("names the account and URL of the oldest undelivered webhook", async () => {
    const [account] = await queryRows<{ id: string; name: string }>(desk.pool, {
      text: "select id, name from accounts.accounts",
    });
    const url = "https://receiver.example/hooks";
    const inserted = await sql(
      `insert into webhooks.deliveries (id, created_at, account_id, event_id, event_type, event_at, cause_id, trigger,
          endpoint_key, url, status, next_attempt_at)
        values (messaging.uuid_at(now() - interval '2 hours'), now() - interval '2 hours', $1, $2,
          'porting_order.created', now(), $2, 'event', $2, $3, 'retrying', now()) returning id`,
      [account?.id, randomUUID(), url],
    );
    const { oldest_undelivered_webhook: oldest, status } = await health();
    expect(oldest.delivery).toMatchObject({
      delivery_id: idOf(inserted.rows),
      account: { id: account?.id, name: account?.name },
      url,
    });
    expect(oldest.status).toBe("slow");
    // The whole is as bad as its worst part: groups of services that do not run here have nobody who reads.
    expect(["slow", "stuck"]).toContain(status);
    expect(oldest.age_seconds).toBeGreaterThanOrEqual(7_200);
    const become = (to: string) =>
      sql("update accounts.accounts set status = $2 where id = $1", [account?.id, to]);
    await become("suspended");
    const { oldest_undelivered_webhook: suspended } = await health();
    await become("active");
    expect(suspended).toMatchObject({ delivery: null, age_seconds: 0 });
  });

  it("notices a provider that says nothing about an order for days", async () => {
    const id = await storeOrder(desk.pool, { provider: "manual", status: "submitted" });
    await sql(
      "update orders.porting_orders set updated_at = now() - interval '4 days' where id = $1",
      [id],
    );
    const { providers } = await health();
    const manual = providers.find(({ provider }) => provider === "manual");
    expect(manual).toMatchObject({ status: "stuck", last_word_at: null });
  });
});
