import { beforeAll, describe, expect, it } from "@jest/globals";
import type pg from "pg";
import { lockOrder } from "../../../services/domain/order/store/read-order.ts";
import { eventually } from "../../support/eventually.ts";
import { createTestDatabase, type TestDatabase } from "../../support/stack/test-stack.ts";
import { connectClient } from "../../support/stack/test-client.ts";

const ORDER = "01a1fc57-b585-7195-84b0-011dca65599f";

let database: TestDatabase;
let first: pg.Client;
let second: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  first = await connectClient(database.url);
  second = await connectClient(database.url);
  await first.query(
    `with asked as (
      insert into orders.requirement_profiles (id, items) values (orders.requirement_profile_id('[]'), '[]') returning id
    ) insert into orders.porting_orders (id, account_id, batch_id, status, provider, country_code,
        number_type, created_at, updated_at, requirement_profile_id)
      select $1, $1, $1, 'activating', 'sandbox', 'US', 'local', now(), now(), id from asked`,
    [ORDER],
  );
  await first.query(
    `insert into orders.order_numbers (order_id, position, account_id, phone_number, status)
      values ($1, 1, $1, '+12125551234', 'activating')`,
    [ORDER],
  );
});

async function isWaiting(): Promise<void> {
  const { rows } = await first.query(
    "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
  );
  expect(rows).toHaveLength(1);
}

describe("an order whose lock was waited for", () => {
  it("shows the numbers as the previous transaction left them", async () => {
    await first.query("begin");
    await lockOrder(first, ORDER);
    await second.query("begin");
    const waiting = lockOrder(second, ORDER);
    await eventually(isWaiting);
    await first.query("update orders.order_numbers set status = 'active'");
    await first.query("update orders.porting_orders set provider_status = 'PORTED'");
    await first.query("commit");
    const order = await waiting;
    await second.query("rollback");
    expect(order?.provider_status).toBe("PORTED");
    expect(order?.numbers.map((number) => number.status)).toEqual(["active"]);
  });
});
