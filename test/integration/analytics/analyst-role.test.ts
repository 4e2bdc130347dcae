import { beforeAll, describe, expect, it } from "@jest/globals";
import type pg from "pg";
import { withConnection } from "../../../infra/local-stack/postgres.ts";
import { migrate } from "../../../infra/migrate/migrate.ts";
import { createLogin } from "../../support/stack/test-login.ts";
import { createTestDatabase, type TestDatabase } from "../../support/stack/test-stack.ts";
import { openPoolAt } from "../../support/stack/test-pool.ts";

const VIEWS = [
  "calls",
  "numbers",
  "order_steps",
  "orders",
  "port_outs",
  "rejections",
  "webhook_deliveries",
];
const REFUSED = "42501";
const ROLE = "porting_analyst";

let database: TestDatabase;
let owner: pg.Pool;
let analyst: pg.Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  // Rights on a database are not copied from its template.
  await migrate(database.url);
  owner = openPoolAt(database.url);
  analyst = openPoolAt(database.url, { role: ROLE });
});

async function namesOf(text: string): Promise<string[]> {
  return (await owner.query<{ name: string }>(text)).rows.map(({ name }) => name);
}

const OURS = `n.nspname !~ '^pg_' and n.nspname <> 'information_schema'`;

describe("the analysts' role", () => {
  it.each(VIEWS)("reads analytics.%s, and cannot write to it", async (view) => {
    await expect(analyst.query(`select * from analytics.${view}`)).resolves.toBeDefined();
    const deleted = analyst.query(`delete from analytics.${view}`);
    await expect(deleted).rejects.toThrow(/permission denied|cannot delete/);
  });

  it("has rights on the views of the schema analytics, and on nothing else", async () => {
    const readable = await namesOf(`select n.nspname || '.' || c.relname as name
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where ${OURS} and c.relkind in ('r', 'p', 'v', 'm', 'S') and (
        case when c.relkind = 'S' then has_sequence_privilege('${ROLE}', c.oid, 'usage, select, update')
        else has_table_privilege('${ROLE}', c.oid, 'select, insert, update, delete, truncate')
          or has_any_column_privilege('${ROLE}', c.oid, 'select, insert, update') end)
      order by 1`);
    expect(readable).toEqual(VIEWS.map((view) => `analytics.${view}`));
    const callable = await namesOf(`select n.nspname || '.' || p.proname as name
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where ${OURS} and has_function_privilege('${ROLE}', p.oid, 'execute')
        and has_schema_privilege('${ROLE}', n.oid, 'usage')`);
    expect(callable).toEqual([]);
    const creatable = await namesOf(`select n.nspname as name from pg_namespace n
      where ${OURS} and has_schema_privilege('${ROLE}', n.oid, 'create')`);
    expect(creatable).toEqual([]);
  });

  it.each([
    "select from orders.porting_orders",
    "select port_out_pin from orders.numbers",
    "select body from events.log",
    "select key_hash from accounts.api_keys",
    "select signing_secret from webhooks.endpoints",
    "select value from messaging.outbox",
    "create table analytics.mine (id uuid)",
    "create temporary table mine (id uuid)",
    "create temporary view mine as select 1",
    "select lo_create(0)",
    "select lo_from_bytea(0, 'x')",
    "select lo_put(1, 0, 'x')",
    "select lo_get(1)",
    "select lo_open(1, 131072)",
    "select lowrite(0, 'x')",
    "select loread(0, 1)",
    "select lo_unlink(1)",
  ])("is refused: %s", async (statement) => {
    await expect(analyst.query(statement)).rejects.toMatchObject({ code: REFUSED });
  });

  it("is a login's that is its member", async () => {
    const login = await createLogin(database.url);
    await owner.query(`grant ${ROLE} to ${login.name}`);
    await withConnection(login.url, async (client) => {
      await client.query("select * from analytics.orders");
      for (const statement of [
        "select from orders.porting_orders",
        "set role porting_api",
        "create temporary table mine (id uuid)",
        "select lo_create(0)",
      ]) {
        await expect(client.query(statement)).rejects.toMatchObject({ code: REFUSED });
      }
    });
    await login.drop();
  });
});

describe("the schema analytics", () => {
  it("has a comment on every view and column", async () => {
    const silent = await namesOf(`select c.relname || coalesce('.' || a.attname, '') as name
      from pg_class c
      cross join lateral (
        select null::name as attname, 0 as attnum union all
        select attname, attnum from pg_attribute where attrelid = c.oid and attnum > 0
      ) a
      where c.relnamespace = 'analytics'::regnamespace
        and length(coalesce(case a.attnum when 0 then obj_description(c.oid, 'pg_class')
          else col_description(c.oid, a.attnum) end, '')) < 5`);
    expect(silent).toEqual([]);
    const found = await namesOf(
      "select relname as name from pg_class where relnamespace = 'analytics'::regnamespace order by 1",
    );
    expect(found).toEqual(VIEWS);
  });

  it("is made of columns that hold no secret, no value of a field and no text of a customer", async () => {
    const used = await namesOf(`select distinct d.refobjid::regclass || '.' || a.attname as name
      from pg_rewrite r join pg_class v on v.oid = r.ev_class
        join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid
          and d.refclassid = 'pg_class'::regclass and d.refobjsubid > 0
        join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
      where v.relnamespace = 'analytics'::regnamespace order by 1`);
    expect(used).toContain("orders.numbers.port_out_lock");
    const secret =
      /\.(port_out_pin.*|.*secret.*|.*hash|.*value|.*key_id|webhook_url|customer_reference|test_body)$/;
    expect(used.filter((name) => secret.test(name))).toEqual([]);
  });
});
