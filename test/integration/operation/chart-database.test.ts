/** @tier all */
import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { withConnection } from "../../../infra/local-stack/postgres.ts";
import { migrate } from "../../../infra/migrate/migrate.ts";
import { documentsOf } from "../../support/kubernetes/chart-files.ts";
import { endAfterTests } from "../../support/lifetime/end-after-tests.ts";
import { createEmptyDatabase, testStack } from "../../support/stack/test-stack.ts";

const cluster = z
  .looseObject({
    spec: z.looseObject({
      bootstrap: z.looseObject({
        initdb: z.looseObject({ postInitApplicationSQL: z.array(z.string()) }),
      }),
      managed: z.looseObject({
        roles: z.array(
          z.looseObject({ name: z.string(), inRoles: z.array(z.string()).default([]) }),
        ),
      }),
    }),
  })
  .parse(documentsOf("examples", "postgres.yaml")[0]);
const { bootstrap, managed } = cluster.spec;

const owner = `owner_${randomBytes(6).toString("hex")}`;
const password = randomBytes(12).toString("hex");
let ownerUrl: string;
let superuserUrl: string;

/** The owner's row of the example, as CloudNativePG makes it, under a name of this test's own. */
beforeAll(async () => {
  const database = await createEmptyDatabase();
  superuserUrl = database.url;
  const own = new URL(database.url);
  const name = own.pathname.slice(1);
  const memberOf = managed.roles.find((role) => role.name === "porting")?.inRoles ?? [];
  await withConnection(superuserUrl, async (client) => {
    await client.query(`create role ${owner} login password '${password}'`);
    await client.query(`grant ${memberOf.join(", ")} to ${owner}`);
    await client.query(`alter database ${name} owner to ${owner}`);
    for (const statement of bootstrap.initdb.postInitApplicationSQL) await client.query(statement);
  });
  endAfterTests(() =>
    withConnection(superuserUrl, async (client) => {
      await client.query(`alter database ${name} owner to current_user`);
      await client.query(`drop owned by ${owner} cascade`);
      await client.query(`drop role ${owner}`);
    }),
  );
  ownerUrl = Object.assign(own, { username: owner, password }).href;
});

/** The one value that a statement selects. */
function valueOf(url: string, text: string): Promise<unknown> {
  return withConnection(url, async (client) => {
    const { rows } = await client.query<{ value: unknown }>(text);
    return rows[0]?.value;
  });
}

describe("the Postgres of the chart's example", () => {
  it("is migrated by an owner that is no superuser and can make no role, twice", async () => {
    await migrate(ownerUrl);
    await migrate(ownerUrl);
    const tables = `select count(*)::int as value from pg_tables where schemaname = 'orders' and tableowner = '${owner}'`;
    expect(await valueOf(ownerUrl, tables)).toBeGreaterThan(3);
    await expect(valueOf(ownerUrl, "create role somebody")).rejects.toThrow("permission denied");
  });

  it("lets nobody but its superuser make temporary tables or large objects", async () => {
    const { database_url: server } = testStack();
    expect(new URL(server).username).not.toBe(owner);
    const temporary = `select has_database_privilege('porting_api', current_database(), 'temporary') as value`;
    expect(await valueOf(superuserUrl, temporary)).toBe(false);
    const large = `select count(*)::int as value from pg_proc
      where pronamespace = 'pg_catalog'::regnamespace and proname ~ '^lo(_|read$|write$)'
        and has_function_privilege('porting_api', oid, 'execute')`;
    expect(await valueOf(superuserUrl, large)).toBe(0);
  });
});
