import { beforeAll, describe, expect, it } from "@jest/globals";
import pg from "pg";
import { withConnection } from "../../../infra/local-stack/postgres.ts";
import { migrate } from "../../../infra/migrate/migrate.ts";
import { GRANTS, ROLES } from "../../../infra/migrate/migrations/grants.ts";
import { SERVICE_ROLES } from "../../../services/messages/bus/topic-rights.ts";
import { connectionSettings } from "../../../services/platform/db/pool.ts";
import {
  all,
  MONTH,
  outcomes,
  REFUSED,
  SPEAKS,
  STORE,
} from "../../support/stack/role-statements.ts";
import { createLogin, letAssumeRoles } from "../../support/stack/test-login.ts";
import { createTestDatabase, type TestDatabase } from "../../support/stack/test-stack.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

async function ask<R extends pg.QueryResultRow>(text: string, values: unknown[] = []) {
  return withConnection(database.url, async (client) => (await client.query<R>(text, values)).rows);
}

describe("the role of a service", () => {
  it.each(SERVICE_ROLES)("%s cannot change permanent records or their tables", async (role) => {
    const statements = [
      ...["events.log", `events.log_${MONTH}`].flatMap((log) => [
        `insert into ${log} select * from events.log`,
        `update ${log} set seq = 1`,
        `delete from ${log}`,
        `truncate ${log}`,
        `alter table ${log} disable trigger log_rows`,
        `drop table ${log}`,
      ]),
      "delete from accounts.audit_log",
      "delete from messaging.outbox",
      "truncate messaging.inbox",
      "select messaging.make_partitions('events.log', 'month', now(), now())",
      "set session_replication_role = replica",
      "create table orders.mine (id uuid)",
      "create table public.mine (id uuid)",
      "create role mine",
      "select from public.migrations",
    ];
    expect(await outcomes({ url: database.url, role }, statements)).toEqual(
      all(statements, REFUSED),
    );
  });

  it("has its rights in one list, which names every table", async () => {
    const tables = await ask<{ name: string }>(
      `select format('%I.%I', n.nspname, c.relname) as name
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relkind in ('r', 'p', 'v', 'm') and not c.relispartition
          and n.nspname !~ '^pg_' and n.nspname not in ('information_schema', 'public')`,
    );
    expect(tables.map(({ name }) => name).sort()).toEqual(Object.keys(GRANTS.table).sort());
  });

  it("grants nothing to PUBLIC", async () => {
    const functions = await ask<{ open: boolean }>(
      `select bool_or(a.grantee = 0) as open from pg_proc p join pg_namespace n on n.oid = p.pronamespace
        cross join lateral aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
        where n.nspname in ('accounts', 'orders', 'reviews', 'carriers', 'webhooks', 'events', 'messaging')`,
    );
    expect(functions).toEqual([{ open: false }]);
  });

  it("is necessary: a login that can assume none is refused", async () => {
    const login = await createLogin(database.url);
    const settings = { url: login.url, service: "test", role: "porting_api" };
    const refused = new pg.Client(connectionSettings(settings));
    await expect(refused.connect()).rejects.toMatchObject({ code: REFUSED });
    await refused.end();
    await withConnection(login.url, async (client) => {
      await expect(client.query("select from orders.porting_orders")).rejects.toThrow("denied");
    });
    await login.drop();
  });
});

describe("a migration", () => {
  it("restores rights that somebody granted or revoked, and changes nothing else", async () => {
    const grants = `select array_agg(x order by x) as acl from (
      select c.oid::regclass || ' ' || acl::text as x from pg_class c, unnest(c.relacl) acl
      where c.relnamespace::regnamespace::text in ('events', 'messaging', 'orders', 'accounts')) g`;
    const before = await ask(grants);
    await ask("grant delete, truncate on orders.porting_orders to porting_webhook_sender");
    await ask("grant update (name) on accounts.accounts to porting_api");
    await ask("grant execute on function events.store to public");
    await ask("grant execute on function lo_create(oid) to public");
    await ask(`grant temporary on database ${new URL(database.url).pathname.slice(1)} to public`);
    await ask("revoke insert on messaging.outbox from porting_api");
    await migrate(database.url);
    expect(await ask(grants)).toEqual(before);
    const refused = [STORE, "select lo_create(0)", "create temporary table mine (id uuid)"];
    expect(
      await outcomes({ url: database.url, role: "porting_api" }, [...refused, SPEAKS[0]]),
    ).toEqual([...all(refused, REFUSED), ...all([SPEAKS[0]], "done")]);
  });

  it("names the missing rights of a login that can neither create nor assume the roles", async () => {
    const login = await createLogin(database.url);
    const name = `owned_by_${login.name}`;
    await ask(`create database ${name} owner ${login.name}`);
    const url = new URL(login.url);
    url.pathname = name;
    try {
      await expect(migrate(url.href)).rejects.toMatchObject({
        code: "invalid_config",
        message: expect.stringContaining(`\ngrant ${ROLES.join(", ")} to ${login.name};`),
      });
      await withConnection(url.href, async (client) => {
        const { rows } = await client.query("select from pg_namespace where nspname = 'orders'");
        expect(rows).toEqual([]);
      });
      await letAssumeRoles(database.url, login);
      await migrate(url.href);
      await migrate(url.href);
      await withConnection(url.href, async (client) => {
        await client.query("set role porting_api");
        await client.query("select from orders.porting_orders");
        for (const statement of ["delete from events.log", "create temporary table mine ()"]) {
          await expect(client.query(statement)).rejects.toThrow("permission denied");
        }
      });
    } finally {
      await ask(`drop database ${name}`);
      await login.drop();
    }
    // It makes a whole database.
  }, 180_000);
});
