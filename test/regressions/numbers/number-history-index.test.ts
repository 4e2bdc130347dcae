import { beforeAll, expect, it } from "@jest/globals";
import type pg from "pg";
import { registerActiveNumbers } from "../../../services/domain/order/store/register-active-numbers.ts";
import { buildOrder } from "../../support/orders/order-factory.ts";
import { createTestDatabase, type TestDatabase } from "../../support/stack/test-stack.ts";
import { connectClient } from "../../support/stack/test-client.ts";

const NOW = new Date("2026-03-02T12:00:00Z");

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = await connectClient(database.url);
  await client.query(
    `insert into orders.numbers (account_id, phone_number, status, country_code, number_type, provider, activated_at)
      select gen_random_uuid(), '+1212' || n, 'active', 'US', 'local', 'sandbox', $1
      from generate_series(1000000, 1020000) n`,
    [NOW],
  );
  await client.query("analyze orders.numbers");
});

/** The sequence of a number's last event was searched in the whole table, once for each number of the order. */
it("a number becomes active without a scan of all other numbers", async () => {
  const order = buildOrder();
  const phone_number = order.numbers[0]?.phone_number ?? "";
  const effects = [{ effect: "number_active", phone_number, activated_at: NOW }] as const;
  await client.query("begin");
  const context = { tx: client, codec: { encode: () => Buffer.alloc(0) }, topicPrefix: "" };
  await registerActiveNumbers(context, { order, effects }, NOW);
  const { rows } = await client.query<{ read: string }>(
    `select seq_tup_read as read from pg_stat_xact_user_tables
      where schemaname = 'orders' and relname = 'numbers'`,
  );
  await client.query("rollback");
  expect(Number(rows[0]?.read)).toBe(0);
});
