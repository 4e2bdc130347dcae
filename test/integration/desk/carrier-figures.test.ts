import { beforeAll, expect, it } from "@jest/globals";
import type { Pool } from "pg";
import {
  countOpenOrders,
  countRejections,
  readLastUpdates,
  readOrdersToCall,
} from "../../../services/desk/providers/store.ts";
import { queryRows } from "../../../services/platform/db/transaction.ts";
import { fillDeskOrders } from "../../support/desk/fill-desk-orders.ts";
import { createTestDatabase } from "../../support/stack/test-stack.ts";
import { openPoolAt } from "../../support/stack/test-pool.ts";

let pool: Pool;
let owner: Pool;

beforeAll(async () => {
  const database = await createTestDatabase();
  await fillDeskOrders(database.url, 10_000);
  pool = openPoolAt(database.url, { role: "porting_desk" });
  owner = openPoolAt(database.url);
});

it("counts the open orders of each provider and carrier", async () => {
  const open = await countOpenOrders(pool, "provider");
  const [{ count } = { count: -1 }] = await queryRows<{ count: number }>(owner, {
    text: `select count(*)::integer as count from orders.porting_orders
      where provider = 'sandbox' and status in ('rejection', 'in_review', 'foc_scheduled')`,
  });
  expect(open.find(({ party }) => party === "sandbox")?.count).toBe(count);
  const carriers = await countOpenOrders(pool, "carrier");
  expect(carriers.map(({ party }) => party).toSorted()).toEqual(["o2", "orange", "verizon"]);
});

it("finds the orders that wait for a call, the longest waiting first", async () => {
  await queryRows(owner, {
    text: `update orders.porting_orders set provider = 'manual', status = v.status, foc_actual = v.foc,
        attention = null, submitted_at = created_at
      from (values (1, 'submitted', null), (2, 'foc_scheduled', '2020-01-01T00:00:00Z'),
        (3, 'foc_scheduled', '2099-01-01T00:00:00Z')) v (nth, status, foc),
        (select id, row_number() over (order by id) as nth from orders.porting_orders) o
      where o.nth = v.nth and porting_orders.id = o.id`,
  });
  const now = new Date();
  const calls = await readOrdersToCall(pool, "provider", { byHand: ["manual"], now });
  const manual = calls.filter(({ party }) => party === "manual");
  expect(manual).toMatchObject([
    { status: "submitted", count: 2, alert: null, numbers_count: 3 },
    { status: "foc_scheduled", count: 2, foc_actual: "2020-01-01T00:00:00Z" },
  ]);
});

it("counts what carriers rejected lately, once each", async () => {
  const event = (type: string, context: object) => ({ type, context: JSON.stringify(context) });
  const party = { provider: "sandbox", losing_carrier: "Verizon", actor: "carrier" };
  const pin = { code: "pin_invalid", slug: "pin_passcode" };
  const events = [
    event("porting_order.requirement_updated", { ...party, rejection: pin }),
    event("porting_order.status_changed", { ...party, rejection: pin }),
    event("porting_order.status_changed", { ...party, rejection: { code: "port_freeze" } }),
    event("porting_order.requirement_updated", { ...party, actor: "desk", rejection: pin }),
  ];
  for (const [n, { type, context }] of events.entries()) {
    await queryRows(owner, {
      text: `insert into events.log (id, account_id, seq, type, sequence_key, created_at, reached, body, context)
        select messaging.uuid_at(now()), gen_random_uuid(), $1, $2, 'x', now(), now(), '\\x7b7d', $3`,
      values: [n + 1, type, context],
    });
  }
  const told = [
    { code: "pin_invalid", count: 1 },
    { code: "port_freeze", count: 1 },
  ];
  const now = new Date();
  expect(await countRejections(pool, "provider", now)).toEqual(
    told.map((one) => ({ party: "sandbox", ...one })),
  );
  expect(await countRejections(pool, "carrier", now)).toEqual(
    told.map((one) => ({ party: "verizon", ...one })),
  );
});

it("finds the last update of each provider and carrier, however a customer wrote its name", async () => {
  const at = new Date("2026-03-02T14:00:00Z");
  const [order] = await queryRows<{ id: string }>(owner, {
    text: `update orders.porting_orders set provider_status_at = $1, losing_carrier = 'o2'
      where id = (select id from orders.porting_orders where losing_carrier = 'O2' order by id desc limit 1)
      returning id`,
    values: [at],
  });
  for (const [id, day] of [
    ["a", "2026-03-01"],
    ["b", "2026-03-02T14:00:00Z"],
  ]) {
    await queryRows(owner, {
      text: `insert into carriers.updates (provider, update_id, order_id, content_hash, received_at)
        values ('sandbox', $1, $2, '\\x00', $3)`,
      values: [id, order?.id, day],
    });
  }
  const word = { at, porting_order_id: order?.id };
  expect(await readLastUpdates(pool, "provider", ["manual", "sandbox"])).toEqual([
    { party: "sandbox", ...word },
  ]);
  expect(await readLastUpdates(pool, "carrier", ["O2", "SFR"])).toEqual([{ party: "o2", ...word }]);
});
