import { beforeAll, expect, it } from "@jest/globals";
import { dataOf } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import { startTestApi, type TestApi } from "../../support/product/test-api.ts";
import { connectClient } from "../../support/stack/test-client.ts";

const POOL = 10;
const LEFT_TO_OTHERS = 2;
const REQUESTS = 30;

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi({ env: { DATABASE_POOL_SIZE: String(POOL) } });
});

async function countBlocked(): Promise<number> {
  const { rows } = await api.database.query<{ blocked: number }>(
    `select count(*)::integer as blocked from pg_stat_activity
      where datname = current_database() and application_name = 'api' and wait_event_type = 'Lock'`,
  );
  return rows[0]?.blocked ?? 0;
}

// Requests for the locked table held every connection until their lock timeout, and all others waited for one.
it("a locked table of orders costs the requests for orders alone, and these are asked to try again", async () => {
  const locker = await connectClient(api.product.databaseUrl);
  await locker.query("begin");
  await locker.query("lock table orders.porting_orders in access exclusive mode");
  let answered = 0;
  const orders = Array.from({ length: REQUESTS }, async () => {
    const answer = await api.call("GET", "/v2/porting_orders");
    answered += 1;
    return answer;
  });
  await eventually(async () => expect(await countBlocked()).toBe(POOL - LEFT_TO_OTHERS));

  const endpoints = await api.call("GET", "/v2/webhook_endpoints");
  expect(endpoints.status).toBe(200);
  expect(answered).toBe(0);

  for (const { status, body, headers } of await Promise.all(orders)) {
    expect({ status, code: body?.["code"] }).toEqual({ status: 503, code: "unavailable" });
    expect(headers.has("Retry-After")).toBe(true);
  }
  await locker.query("rollback");
  expect((await api.call("GET", "/v2/porting_orders")).status).toBe(200);
});

it("a locked table of orders delays the callers who read an order, and lets all others in", async () => {
  const body = { phone_numbers: ["+12125550123"] };
  const path = `/v2/porting_orders/${String(dataOf(await api.call("POST", "/v2/porting_orders", body))[0]?.["id"])}`;
  expect((await api.call("GET", path)).status).toBe(200);
  const locker = await connectClient(api.product.databaseUrl);
  await locker.query("begin");
  await locker.query("lock table orders.porting_orders in access exclusive mode");
  const reads = Array.from({ length: REQUESTS }, () => api.call("GET", path));
  await eventually(async () => expect(await countBlocked()).toBeGreaterThan(0));
  expect((await api.call("GET", "/v2/webhook_endpoints")).status).toBe(200);
  const statuses = (await Promise.all(reads)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([503]));
  await locker.query("rollback");
  expect((await api.call("GET", path)).status).toBe(200);
});
