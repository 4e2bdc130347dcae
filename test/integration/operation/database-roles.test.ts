import { beforeAll, describe, expect, it } from "@jest/globals";
import pg from "pg";
import { withConnection } from "../../../infra/local-stack/postgres.ts";
import { migrate } from "../../../infra/migrate/migrate.ts";
import { GRANTS } from "../../../infra/migrate/migrations/grants.ts";
import { SERVICE_ROLES, type ServiceRole } from "../../../services/messages/bus/service-roles.ts";
import { connectionSettings } from "../../../services/platform/db/pool.ts";
import { createLogin, letAssumeRoles } from "../../support/stack/test-login.ts";
import { createTestDatabase, type TestDatabase } from "../../support/stack/test-stack.ts";

const REFUSED = "42501";
const MONTH = new Date().toISOString().slice(0, 7).replace("-", "");
const ID = "00000000-0000-7000-8000-000000000000";
const STORE = `select events.store('{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}')`;

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

/** The result of each statement in its own rolled-back transaction: "done" or the SQLSTATE. */
async function outcomes(role: ServiceRole, statements: readonly string[]): Promise<string[]> {
  const client = new pg.Client(connectionSettings({ url: database.url, service: "test", role }));
  await client.connect();
  try {
    const found: string[] = [];
    for (const statement of statements) {
      await client.query("begin");
      const outcome = await client.query(statement).then(() => "done", codeOf);
      found.push(`${statement}: ${outcome}`);
      await client.query("rollback");
    }
    return found;
  } finally {
    await client.end();
  }
}

function codeOf(error: unknown): string {
  return error instanceof pg.DatabaseError ? (error.code ?? "") : String(error);
}

function all(statements: readonly string[], outcome: string): string[] {
  return statements.map((statement) => `${statement}: ${outcome}`);
}

async function ask<R extends pg.QueryResultRow>(text: string, values: unknown[] = []) {
  return withConnection(database.url, async (client) => (await client.query<R>(text, values)).rows);
}

const SPEAKS = [
  `insert into messaging.outbox (message_id, topic, shard) values ('${ID}', 'topic', 0)`,
  "notify outbox",
] as const;
const CLAIMS = [
  `insert into messaging.inbox values ('one', '${ID}') on conflict do nothing returning message_id`,
];

describe("the role of a service", () => {
  it.each<[ServiceRole, readonly string[]]>([
    [
      "porting_api",
      [
        ...SPEAKS,
        `select from accounts.accounts where id = '${ID}' for no key update`,
        "update accounts.api_keys set revoked_at = now()",
        "select from orders.porting_orders for update",
        "delete from orders.deadlines",
        "update orders.port_outs set status = 'approved'",
        `insert into accounts.audit_log (id, at, operator_name, action) values ('${ID}', now(), 'a', 'b')`,
        "update orders.numbers set port_out_lock = true",
        "select body from events.log",
        "update webhooks.deliveries set priority = 0 where id = messaging.uuid_at(now())",
      ],
    ],
    [
      "porting_requirement_review",
      [
        ...SPEAKS,
        ...CLAIMS,
        "update accounts.accounts set status = 'suspended'",
        "update accounts.operators set active = false",
        "update accounts.operator_tokens set revoked_at = now()",
        "delete from accounts.operator_sessions",
        "delete from messaging.rate_buckets",
        "update orders.porting_orders set status = 'cancelled'",
        "delete from reviews.document_checks",
        "update orders.port_outs set status = 'approved'",
        "update orders.numbers set provider = 'manual'",
        "select from carriers.sandbox_port_outs for update",
        `insert into accounts.audit_log (id, at, operator_name, action) values ('${ID}', now(), 'a', 'b')`,
      ],
    ],
    [
      "porting_order_lifecycle",
      [
        ...SPEAKS,
        ...CLAIMS,
        "select from orders.porting_orders for update",
        "delete from webhooks.order_destinations",
        "update reviews.cases set outcome = 'applied'",
        "select from reviews.decisions",
        `insert into accounts.audit_log (id, at, operator_name, action) values ('${ID}', now(), 'a', 'b')`,
        "update orders.port_outs set status = 'expired'",
        "update orders.numbers set status = 'ported_out'",
        "delete from orders.deadlines",
      ],
    ],
    [
      "porting_carrier_adapter",
      [
        ...SPEAKS,
        ...CLAIMS,
        "select from orders.porting_orders for update",
        `insert into carriers.updates values ('one', 'two', null, '', now())`,
        `insert into carriers.call_events values ('${ID}', '${ID}', '${ID}') on conflict do nothing`,
        "select from carriers.port_out_requests for update",
        "select port_out_pin from orders.numbers",
      ],
    ],
    [
      "porting_webhook_sender",
      [
        ...SPEAKS,
        ...CLAIMS,
        STORE,
        "select events.make_log_partitions('2041-12-31', '2042-01-01')",
        "select webhooks.make_delivery_partitions('2041-12-31', '2042-01-01')",
        "update webhooks.deliveries set lease_until = now()",
        "select url from webhooks.order_destinations",
        "select from webhooks.endpoints for update skip locked",
      ],
    ],
    [
      "porting_event_log",
      [...SPEAKS, STORE, "select events.make_log_partitions('2041-12-31', '2042-01-01')"],
    ],
    [
      "porting_outbox_relay",
      [
        "select pg_try_advisory_lock(1, 1)",
        "listen outbox",
        "update messaging.outbox set sent_at = now()",
        "select last_value from messaging.outbox_id",
        "update messaging.reconciliation set low_id = 1",
        "select from events.log where created_at = messaging.time_of(id)",
        "select messaging.make_outbox_partitions('2041-12-31', '2042-01-01')",
        "select messaging.drop_done_partitions('2001-01-01')",
        "select messaging.forget_handled('2001-01-01')",
      ],
    ],
  ])("%s can do its work", async (role, statements) => {
    expect(await outcomes(role, statements)).toEqual(all(statements, "done"));
  });

  it.each<[ServiceRole, readonly string[]]>([
    [
      "porting_api",
      [
        STORE,
        "select events.make_log_partitions(now(), now())",
        "update events.feed_counters set last_seq = 0",
        "update accounts.accounts set status = 'active'",
        "select token_hash from accounts.operator_tokens",
        "select from accounts.audit_log",
        "select from reviews.cases",
        "select value from messaging.outbox",
        `insert into messaging.inbox values ('webhook-sender', '${ID}')`,
        "delete from orders.porting_orders",
        "update orders.numbers set provider = 'manual'",
        "delete from orders.port_outs",
        "delete from webhooks.deliveries",
        `update webhooks.deliveries_${MONTH} set status = 'succeeded'`,
      ],
    ],
    [
      "porting_requirement_review",
      [
        STORE,
        "update accounts.operator_tokens set token_hash = ''",
        "delete from accounts.operators",
        "update accounts.operator_sessions set expires_at = now()",
        "update accounts.api_keys set key_hash = ''",
        "select from webhooks.account_secrets",
        "insert into orders.porting_orders default values",
        "update orders.numbers set port_out_lock = false",
        "update orders.numbers set port_out_pin = null",
        "select from carriers.port_out_requests",
        "select signing_secret from webhooks.endpoints",
        "select previous_secret from webhooks.endpoints",
        "insert into carriers.requests default values",
        "delete from events.log",
      ],
    ],
    [
      "porting_order_lifecycle",
      [
        STORE,
        "insert into orders.porting_orders default values",
        "select from carriers.port_out_requests",
        "update reviews.cases set decisions = '[]'",
        `insert into reviews.decisions (id) values ('${ID}')`,
        "select from accounts.accounts",
        "select from orders.documents",
        "select from webhooks.deliveries",
        "select body from events.log",
      ],
    ],
    [
      "porting_carrier_adapter",
      [
        STORE,
        "update orders.porting_orders set status = 'completed'",
        "update orders.requirements set value = null",
        "update carriers.updates set content_hash = ''",
        "update orders.numbers set status = 'ported_out'",
        "update orders.port_outs set status = 'approved'",
        "select from accounts.accounts",
        "select from webhooks.endpoints",
        "select body from events.log",
      ],
    ],
    [
      "porting_webhook_sender",
      [
        "select from orders.porting_orders",
        "update orders.porting_orders set status = 'completed'",
        "select value from orders.requirements",
        "delete from orders.order_numbers",
        "insert into orders.timeline default values",
        "update webhooks.order_destinations set url = ''",
        "delete from webhooks.deliveries",
        "update accounts.accounts set status = 'active'",
        "select key_hash from accounts.api_keys",
        "update events.feed_counters set last_seq = 0",
        "select value from messaging.outbox",
      ],
    ],
    [
      "porting_event_log",
      [
        "select body from events.log",
        "update events.feed_counters set last_seq = 0",
        "select from orders.porting_orders",
        "select from accounts.accounts",
        "select from webhooks.deliveries",
        "select webhooks.make_delivery_partitions(now(), now())",
      ],
    ],
    [
      "porting_outbox_relay",
      [
        STORE,
        "insert into messaging.outbox (message_id, topic, shard) values (gen_random_uuid(), 'a', 0)",
        "delete from messaging.outbox",
        "update messaging.consumer_positions set consumer = 'a'",
        "delete from messaging.inbox",
        "select from orders.porting_orders",
        "select from accounts.accounts",
        "select from webhooks.deliveries",
      ],
    ],
  ])("%s cannot do the work of others", async (role, statements) => {
    expect(await outcomes(role, statements)).toEqual(all(statements, REFUSED));
  });

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
    expect(await outcomes(role, statements)).toEqual(all(statements, REFUSED));
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
    expect(await outcomes("porting_api", [...refused, SPEAKS[0]])).toEqual([
      ...all(refused, REFUSED),
      ...all([SPEAKS[0]], "done"),
    ]);
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
        message: expect.stringContaining("grant porting_api to"),
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
  });
});
