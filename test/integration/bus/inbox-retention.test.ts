import { beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { Pool } from "pg";
import { queryRows } from "../../../services/platform/db/transaction.ts";
import { forgetHandled } from "../../../services/outbox-relay/reconcile/store/forget-handled.ts";
import { createTestDatabase, type TestDatabase } from "../../support/stack/test-stack.ts";
import { openPoolAt } from "../../support/stack/test-pool.ts";

const DAY_MS = 86_400_000;
const KEPT_MS = 90 * DAY_MS;
const OLD = 12_000;

let database: TestDatabase;
let pool: Pool;
let owner: Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = openPoolAt(database.url, { role: "porting_outbox_relay" });
  owner = openPoolAt(database.url);
});

beforeEach(async () => {
  await asOwner("truncate messaging.inbox, messaging.outbox");
});

async function asOwner(text: string, values: readonly unknown[] = []): Promise<void> {
  await owner.query(text, [...values]);
}

/** Inserts inbox rows of a consumer that are `days` days old. */
async function handled(consumer: string, days: number, count: number): Promise<void> {
  await asOwner(
    `insert into messaging.inbox (consumer, message_id, received_at)
     select $1, gen_random_uuid(), now() - make_interval(days => $2) from generate_series(1, $3::integer)`,
    [consumer, days, count],
  );
}

async function left(): Promise<Record<string, number>> {
  const rows = await queryRows<{ consumer: string; count: number }>(pool, {
    text: "select consumer, count(*) from messaging.inbox group by consumer order by consumer",
  });
  return Object.fromEntries(rows.map(({ consumer, count }) => [consumer, count]));
}

const forget = (retentionMs = KEPT_MS, mayGoOn = (): boolean => true): Promise<number> =>
  forgetHandled(pool, { now: new Date(), retentionMs }, mayGoOn);

describe("the inbox of handled messages", () => {
  it("is deleted after its retention, except for the fan-out of webhooks", async () => {
    await handled("order-lifecycle", 91, OLD);
    await handled("carrier-adapter", 89, 3);
    await handled("webhook-sender", 1_000, 5);
    expect(await forget()).toBe(OLD);
    expect(await left()).toEqual({ "carrier-adapter": 3, "webhook-sender": 5 });
  });

  it("is kept forever where configured, and when the process may not continue", async () => {
    await handled("order-lifecycle", 1_000, 2);
    expect(await forget(0)).toBe(0);
    expect(await forget(KEPT_MS, () => false)).toBe(0);
    expect(await left()).toEqual({ "order-lifecycle": 2 });
  });

  it("is kept until the reconciler has checked the handled message", async () => {
    await asOwner(
      `insert into messaging.outbox (message_id, topic, shard, created_at)
       values (gen_random_uuid(), 'porting.review-results', 0, now() - interval '100 days')`,
    );
    await handled("order-lifecycle", 101, 1);
    await handled("order-lifecycle", 99, 4);
    expect(await forget()).toBe(1);
    expect(await left()).toEqual({ "order-lifecycle": 4 });
  });
});
