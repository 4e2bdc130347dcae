import { beforeEach, expect, it } from "@jest/globals";
import type pg from "pg";
import { migrate } from "../../../infra/migrate/migrate.ts";
import { newId } from "../../../services/platform/ids.ts";
import { connectClient } from "../../support/stack/test-client.ts";
import { createTestDatabase, type TestDatabase } from "../../support/stack/test-stack.ts";

const ACCOUNT = "01900000-0000-7000-8000-000000000001";
const ORDER = "01900000-0000-7000-8000-000000000002";
const STEPS = ["01900000-0000-7000-8000-00000000000a", "01900000-0000-7000-8000-00000000000b"];

let database: TestDatabase;
let owner: pg.Client;

beforeEach(async () => {
  database = await createTestDatabase();
  owner = await connectClient(database.url);
});

/** The schema as the first texts of 0012, 0018, 0053, 0074 and 0077 made it, before checksums were kept. */
async function makeOld(): Promise<void> {
  await owner.query(`
    drop table messaging.migration_checksums;
    delete from public.migrations where right(name, 2) in ('85', '86');
    insert into public.migrations (timestamp, name) values (1700000000074, 'QueueSearch1700000000074');
    drop table carriers.call_events;
    create table carriers.call_events (
      call_step uuid primary key,
      event_id uuid not null,
      kafka_partition integer not null,
      kafka_offset bigint not null
    );
    create or replace function webhooks.drop_delivery_partition(before timestamptz) returns text
      language sql as $$ select to_date('fees', 'YYYYMM')::text $$;
    drop statistics orders.porting_orders_foc_dates, orders.porting_orders_references;
    create index order_numbers_reversed on orders.order_numbers (reverse(phone_number) text_pattern_ops);`);
}

it("a database from before migrations 0012, 0018, 0053 and 0077 were edited is repaired", async () => {
  await makeOld();
  const at = new Date();
  const [stored, unpublished] = [newId(at), newId(at)];
  await owner.query(
    `select events.store(array[$1::uuid], array[$2::uuid], '{call.completed}', array[$3::uuid], '{+12125550100}',
      '{1}', array[$4::timestamptz], array['{}'::bytea])`,
    [stored, ACCOUNT, ORDER, at],
  );
  await owner.query(
    "insert into carriers.call_events select u.s, u.e, 0, 0 from unnest($1::uuid[], $2::uuid[]) u (s, e)",
    [STEPS, [stored, unpublished]],
  );

  await migrate(database.url);

  const calls = await owner.query("select * from carriers.call_events");
  expect(calls.rows).toEqual([
    { call_step: STEPS[0], event_id: stored, account_id: ACCOUNT, porting_order_id: ORDER },
  ]);
  await owner.query("insert into carriers.call_events values ($1, $2, $3)", [
    STEPS[1],
    unpublished,
    ACCOUNT,
  ]);
  const dropped = await owner.query(
    "select webhooks.drop_delivery_partition('2001-01-01') as name",
  );
  expect(dropped.rows).toEqual([{ name: null }]);
  const found = await owner.query<{ name: string }>(
    `select stxname as name from pg_statistic_ext union all
      select relname from pg_class where relname = 'order_numbers_reversed' order by name`,
  );
  expect(found.rows.map(({ name }) => name)).toEqual([
    "porting_orders_carrier_names",
    "porting_orders_foc_dates",
    "porting_orders_references",
  ]);
  await migrate(database.url);
});
