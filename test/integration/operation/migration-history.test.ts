import { beforeEach, describe, expect, it } from "@jest/globals";
import { migrate } from "../../../infra/migrate/migrate.ts";
import { ALL_MIGRATIONS } from "../../../infra/migrate/migrations/all-migrations.ts";
import { busChecks } from "../../../services/messages/bus/bus-readiness.ts";
import type { DividedPool } from "../../../services/platform/db/divided-pool.ts";
import { createReadiness } from "../../../services/platform/health.ts";
import { newId } from "../../../services/platform/ids.ts";
import { createLogger } from "../../../services/platform/logger.ts";
import { createMetrics } from "../../../services/platform/metrics.ts";
import { openPoolAt } from "../../support/stack/test-pool.ts";
import { createTestDatabase, type TestDatabase } from "../../support/stack/test-stack.ts";

const LATER = "WhatComesLater1700000009998";
const log = createLogger("test", "silent");

let database: TestDatabase;
let owner: DividedPool;

beforeEach(async () => {
  database = await createTestDatabase();
  owner = openPoolAt(database.url);
});

async function keptChecksums(): Promise<Record<string, string>> {
  const { rows } = await owner.query<{ name: string; checksum: string }>(
    "select name, checksum from messaging.migration_checksums",
  );
  return Object.fromEntries(rows.map(({ name, checksum }) => [name, checksum]));
}

/** What a migration of a later version leaves in the database. */
async function migrateLater(): Promise<void> {
  await owner.query("insert into public.migrations (timestamp, name) values (1, $1)", [LATER]);
  await owner.query("insert into messaging.migration_checksums values ($1, 'sum')", [LATER]);
}

function readinessOf(role: string) {
  const pool = openPoolAt(database.url, { role, size: 1 });
  return createReadiness(busChecks({ pool }), { log, metrics: createMetrics("test") });
}

describe("migrate", () => {
  it("keeps the checksum of every migration, also in a database from before there were any", async () => {
    const kept = await keptChecksums();
    const names = ALL_MIGRATIONS.map((Migration) => new Migration().name);
    expect(Object.keys(kept).sort()).toEqual(names.sort());
    await owner.query("truncate messaging.migration_checksums");
    await migrate(database.url);
    expect(await keptChecksums()).toEqual(kept);
  });

  it("refuses the schema of a later version, and names the migration", async () => {
    await migrateLater();
    await expect(migrate(database.url)).rejects.toMatchObject({
      code: "invalid_state",
      message: expect.stringContaining(`later version: it has the migration ${LATER}`),
    });
  });

  it("refuses a migration whose text was changed after it ran, and names it", async () => {
    const name = "Accounts1700000000002";
    const change = "update messaging.migration_checksums set checksum = $2 where name = $1";
    const kept = (await keptChecksums())[name];
    await owner.query(change, [name, "of another text"]);
    await expect(migrate(database.url)).rejects.toMatchObject({
      code: "invalid_state",
      message: expect.stringContaining(`The migration ${name} was changed`),
    });
    await owner.query(change, [name, kept]);
    await migrate(database.url);
  });

  it("runs a migration that was undone again, whatever its text was", async () => {
    const name = "RepairedMigrations1700000000086";
    await owner.query("delete from public.migrations where name = $1", [name]);
    await owner.query("update messaging.migration_checksums set checksum = 'old' where name = $1", [
      name,
    ]);
    await migrate(database.url);
    await migrate(database.url);
    expect((await keptChecksums())[name]).toMatch(/^[0-9a-f]{64}$/);
  });
});

const ACCOUNT = "01900000-0000-7000-8000-000000000001";
const ORDER = "01900000-0000-7000-8000-000000000002";
const STEPS = ["01900000-0000-7000-8000-00000000000a", "01900000-0000-7000-8000-00000000000b"];

/** The schema as the first texts of 0012, 0018, 0053, 0074 and 0077 made it, before checksums were kept. */
const MAKE_OLD = `
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
  create index order_numbers_reversed on orders.order_numbers (reverse(phone_number) text_pattern_ops);`;

// They were edited after databases had run them.
describe("a database from before migrations 0012, 0018, 0053 and 0077 were edited", () => {
  it("is repaired, with the records that it has", async () => {
    await owner.query(MAKE_OLD);
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
});

describe("a service", () => {
  it("that starts on the schema of a later version is not ready", async () => {
    await migrateLater();
    expect(await readinessOf("porting_event_log")()).toEqual(["schema"]);
  });

  it("that is ready stays so while a later version migrates", async () => {
    const readiness = readinessOf("porting_api");
    expect(await readiness()).toEqual([]);
    await migrateLater();
    expect(await readiness()).toEqual([]);
  });
});
