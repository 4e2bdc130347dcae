import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { withConnection } from "../../../infra/local-stack/postgres.ts";
import { healthAnswer } from "../../../services/requirement-review/health/answers.ts";
import {
  claimMinute,
  storeSample,
} from "../../../services/requirement-review/health/store/health-samples.ts";
import { call, dataOf } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import { startOwnProduct, type OwnProduct } from "../../support/product/product.ts";
import { openPoolAt } from "../../support/stack/test-pool.ts";

const MINUTE_MS = 60_000;

let product: OwnProduct;

beforeAll(async () => {
  product = await startOwnProduct({
    services: ["api", "requirement-review", "requirement-review#2"],
  });
});

async function health() {
  const { status, body } = await call(`${product.deskUrl}/desk/v1/health`, {
    key: product.deskToken,
  });
  expect(status).toBe(200);
  return healthAnswer.parse(body);
}

const sql = (text: string, values: readonly unknown[] = []) =>
  withConnection(product.databaseUrl, (client) => client.query(text, [...values]));

const idOf = (rows: unknown): string => z.tuple([z.object({ id: z.string() })]).parse(rows)[0].id;

describe("the desk's health", () => {
  it("is sampled once a minute, by one of the processes", async () => {
    await eventually(async () => {
      const { rows } = await sql(
        "select minute from messaging.health_samples where status is not null",
      );
      expect(rows.length).toBeGreaterThan(0);
    });
    const { outbox, providers } = await health();
    expect(outbox.last_hour.length).toBeGreaterThan(0);
    expect(providers.map(({ provider }) => provider)).toContain("manual");
  });

  it("keeps an hour of samples, each claimed by one process", async () => {
    const pool = openPoolAt(product.databaseUrl, { size: 2 });
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
    const [account] = dataOf(
      await call(`${product.deskUrl}/desk/v1/accounts`, { key: product.deskToken }),
    );
    const url = "https://receiver.example/hooks";
    const inserted = await sql(
      `insert into webhooks.deliveries (id, created_at, account_id, event_id, event_type, event_at, cause_id, trigger,
          endpoint_key, url, status, next_attempt_at)
        values (messaging.uuid_at(now() - interval '2 hours'), now() - interval '2 hours', $1, $2,
          'porting_order.created', now(), $2, 'event', $2, $3, 'retrying', now()) returning id`,
      [account?.["id"], randomUUID(), url],
    );
    const { oldest_undelivered_webhook: oldest, status } = await health();
    expect(oldest.delivery).toMatchObject({
      delivery_id: idOf(inserted.rows),
      account: { id: account?.["id"], name: account?.["name"] },
      url,
    });
    expect([oldest.status, status]).toEqual(["slow", "slow"]);
    expect(oldest.age_seconds).toBeGreaterThanOrEqual(7_200);
    const become = (to: string) =>
      sql("update accounts.accounts set status = $2 where id = $1", [account?.["id"], to]);
    await become("suspended");
    const { oldest_undelivered_webhook: suspended } = await health();
    await become("active");
    expect(suspended).toMatchObject({ delivery: null, age_seconds: 0 });
  });

  it("notices a provider that says nothing about an order for days", async () => {
    const made = await call(`${product.apiUrl}/v2/porting_orders`, {
      method: "POST",
      key: product.apiKey,
      body: { phone_numbers: ["+12125550301"], losing_carrier: "manual" },
    });
    await sql(
      `update orders.porting_orders set status = 'submitted', updated_at = now() - interval '4 days' where id = $1`,
      [dataOf(made)[0]?.["id"]],
    );
    const { providers } = await health();
    const manual = providers.find(({ provider }) => provider === "manual");
    expect(manual).toMatchObject({ status: "stuck", last_word_at: null });
  });
});
