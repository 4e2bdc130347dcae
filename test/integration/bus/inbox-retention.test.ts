import { beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { Pool } from "pg";
import { queryRows } from "../../../services/platform/db/transaction.ts";
import { forgetHandled } from "../../../services/outbox-relay/reconcile/store/old-rows.ts";
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
  await asOwner("truncate messaging.inbox, messaging.outbox, carriers.updates");
  await asOwner("truncate carriers.port_out_updates, carriers.call_events");
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

/** Inserts records of a carrier's updates, of its port-out updates and of calls that are `days` days old. */
async function published(provider: string, days: number, count: number): Promise<void> {
  const values = [provider, days, count];
  for (const table of ["updates", "port_out_updates"]) {
    await asOwner(
      `insert into carriers.${table} (provider, update_id, content_hash, received_at)
       select $1, gen_random_uuid(), '', now() - make_interval(days => $2) - n * interval '1 ms'
       from generate_series(1, $3::integer) n`,
      values,
    );
  }
  await asOwner(
    `insert into carriers.call_events (call_step, event_id, account_id)
     select gen_random_uuid(), messaging.uuid_at(now() - make_interval(days => $1)), gen_random_uuid()
     from generate_series(1, $2::integer)`,
    [days, count],
  );
}

async function recorded(): Promise<Record<string, number>> {
  const tables = ["updates", "port_out_updates", "call_events"];
  const counts = await Promise.all(
    tables.map((table) =>
      owner.query<{ n: number }>(`select count(*) as n from carriers.${table}`),
    ),
  );
  return Object.fromEntries(tables.map((table, at) => [table, counts[at]?.rows[0]?.n ?? -1]));
}

describe("the records of what carriers published", () => {
  it("are deleted after the same retention, except for each provider's last update", async () => {
    await published("us-lsr", 91, OLD);
    await published("us-lsr", 89, 3);
    await published("silent", 400, 2);
    expect(await forget()).toBe(3 * OLD + 1 + 2 + 2);
    expect(await recorded()).toEqual({ updates: 4, port_out_updates: 3, call_events: 3 });
    const { rows } = await owner.query("select from carriers.updates where provider = 'silent'");
    expect(rows).toHaveLength(1);
    expect(await forget()).toBe(0);
  });

  it("are kept where a transaction uses them, and while the reconciler is behind", async () => {
    await published("us-lsr", 91, 2);
    const client = await owner.connect();
    await client.query("begin");
    await client.query("select from carriers.port_out_updates for update");
    expect(await forget()).toBe(1 + 2);
    expect(await recorded()).toEqual({ updates: 1, port_out_updates: 2, call_events: 0 });
    await client.query("rollback");
    client.release();
    await asOwner(
      `insert into messaging.outbox (message_id, topic, shard, created_at)
       values (gen_random_uuid(), 'carriers.updates', 0, now() - interval '100 days')`,
    );
    expect(await forget()).toBe(0);
    expect(await forget(0)).toBe(0);
  });
});
