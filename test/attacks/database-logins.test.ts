import { beforeAll, describe, expect, it } from "@jest/globals";
import pg from "pg";
import { withConnection } from "../../infra/local-stack/postgres.ts";
import { LOGIN_ROLES, REGISTRY_ROLE } from "../../infra/migrate/login-roles.ts";
import { migrate } from "../../infra/migrate/migrate.ts";
import { RELAY_ROLE } from "../../infra/migrate/require-server.ts";
import { SERVICE_NAMES, type ServiceName } from "../../infra/start/supervisor/service-table.ts";
import { roleOf, SERVICE_ROLES } from "../../services/messages/bus/topic-rights.ts";
import { constraintOf } from "../../services/platform/db/database-fault.ts";
import { eventually } from "../support/eventually.ts";
import { startProduct } from "../support/product/shared-products.ts";
import { urlAs } from "../support/stack/database-access.ts";
import { createTestDatabase } from "../support/stack/test-stack.ts";

const REFUSED = "42501";
/** The classes of what a login without rights may not do, or may not even name. */
const NOT_ALLOWED = /^(42501|42704|42883|3F000)$/;

let databaseUrl: string;

beforeAll(async () => {
  databaseUrl = (await createTestDatabase()).url;
  // Rights on a database are not copied from its template.
  await migrate(databaseUrl);
});

/** How a statement of the login ends: "done" or the SQLSTATE. */
async function outcome(role: string, statement: string): Promise<string> {
  return withConnection(urlAs(role, databaseUrl), async (client) =>
    client.query(statement).then(
      () => "done",
      (error: unknown) => (error instanceof pg.DatabaseError ? (error.code ?? "") : String(error)),
    ),
  );
}

interface Session {
  readonly service: string;
  readonly usename: string;
  readonly usesuper: boolean;
}

describe("every process of the product", () => {
  it("logs in to Postgres as a role of its own, none a superuser", async () => {
    const product = await startProduct();
    const services = SERVICE_NAMES.filter((name) => roleOf(name) !== null);
    const named = (session: string): ServiceName | undefined =>
      services.find((name) => session === name || session.startsWith(`${name}-`));
    const expected = services.map((name) => [name, roleOf(name), false].join());
    await eventually(async () => {
      const { rows } = await withConnection(product.databaseUrl, (client) =>
        client.query<Session>(
          `select distinct application_name as service, usename, usesuper
            from pg_stat_activity join pg_user using (usename)
            where datname = current_database() and pid <> pg_backend_pid()`,
        ),
      );
      // Tests look into the database as its owner.
      const found = rows
        .filter(({ service, usesuper }) => named(service) !== undefined || !usesuper)
        .map(({ service, usename, usesuper }) => [named(service), usename, usesuper].join());
      expect(new Set(found)).toEqual(new Set(expected));
    });
  });
});

describe("who has the login of one service", () => {
  it.each(SERVICE_ROLES)("%s can neither become another role nor the owner", async (role) => {
    for (const other of [...LOGIN_ROLES, "postgres", "pg_read_all_data"]) {
      if (other === role) continue;
      expect([other, await outcome(role, `set role ${other}`)]).toEqual([other, REFUSED]);
      const session = await outcome(role, `set session authorization ${other}`);
      expect([other, session]).toEqual([other, REFUSED]);
    }
  });

  it.each(LOGIN_ROLES)(
    "%s can neither run programs, read files nor make itself more",
    async (role) => {
      const statements = [
        "copy (select 1) to program 'true'",
        "select pg_read_file('postgresql.conf')",
        "select rolpassword from pg_authid",
        `alter role ${role} superuser`,
        "create role mine login",
        "alter system set archive_command = 'true'",
        "create table public.mine (id integer)",
        "create temporary table mine (id integer)",
        "select lo_create(0)",
      ];
      for (const statement of statements) {
        const code = await outcome(role, statement);
        expect([statement, NOT_ALLOWED.test(code)]).toEqual([statement, true]);
      }
    },
  );

  it("reads no log unless it is the relay's, which can copy the server as little as the others", async () => {
    const connect = async (role: string, replication: string): Promise<string> => {
      const config = { connectionString: urlAs(role, databaseUrl), replication };
      const client = new pg.Client(config);
      client.on("error", () => undefined);
      const ended = await client.connect().then(
        () => "done",
        (error: unknown) => String(constraintOf(error)?.state),
      );
      await client.end().catch(() => undefined);
      return ended;
    };
    for (const role of LOGIN_ROLES) {
      const reads = role === RELAY_ROLE ? "done" : REFUSED;
      expect([role, await connect(role, "database")]).toEqual([role, reads]);
      expect([role, await connect(role, "true")]).toEqual([role, "28000"]);
    }
  });

  it("of the registry reads nothing of the product, and no service reads the registry", async () => {
    const tables = ["orders.porting_orders", "messaging.outbox", "accounts.api_keys", "events.log"];
    for (const table of tables) {
      expect(await outcome(REGISTRY_ROLE, `select from ${table}`)).toBe(REFUSED);
    }
    for (const role of SERVICE_ROLES) {
      const url = new URL(urlAs(role, databaseUrl));
      url.pathname = "/registry";
      await expect(withConnection(url.href, (client) => client.query("select 1"))).rejects.toThrow(
        "permission denied for database",
      );
    }
  });
});
