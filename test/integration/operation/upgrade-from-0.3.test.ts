import { beforeAll, describe, expect, it } from "@jest/globals";
import { withConnection } from "../../../infra/local-stack/postgres.ts";
import { migrate } from "../../../infra/migrate/migrate.ts";
import { STEPS } from "../../../infra/migrate/from-0.3/take-over.ts";
import { schemaLines } from "../../support/stack/schema-lines.ts";
import { createTestDatabase } from "../../support/stack/test-stack.ts";
import { createDatabaseOf03 } from "../../support/upgrade/database-of-0.3.ts";

const ACCOUNT = "01900000-0000-7000-8000-000000000001";
const ORDER = "01900000-0000-7000-8000-000000000002";
const ENDPOINT = "01900000-0000-7000-8000-000000000003";
const PORT_OUT = "01900000-0000-7000-8000-000000000004";

let fresh: readonly string[];

beforeAll(async () => {
  fresh = await schemaLines((await createTestDatabase()).url);
});

/** Runs statements, and returns the rows where it is one. */
const run = (url: string, text: string): Promise<readonly unknown[]> =>
  withConnection(url, async (client) => (await client.query<object>(text)).rows);

describe("a database of 0.3.0", () => {
  it.each([
    ["as it was at the end", false],
    ["as it was on its first day", true],
  ])("%s becomes one that this version creates", async (_, onItsFirstDay) => {
    const { url } = await createDatabaseOf03({ onItsFirstDay });
    expect(await schemaLines(url)).not.toEqual(fresh);
    await migrate(url);
    expect(await schemaLines(url)).toEqual(fresh);
    await migrate(url);
    expect(await schemaLines(url)).toEqual(fresh);
  });

  it("is gone on with where a run was killed between two steps", async () => {
    const { url } = await createDatabaseOf03();
    const [done] = STEPS.filter(({ name }) => name === "ReadAttempts1700000000110");
    await run(url, done?.sql ?? "");
    await run(url, `insert into public.migrations (timestamp, name) values (1, '${done?.name}')`);
    await migrate(url);
    expect(await schemaLines(url)).toEqual(fresh);
  });

  it("keeps what it has, and gains what this version reads of it", async () => {
    const { url } = await createDatabaseOf03();
    await run(
      url,
      `insert into accounts.accounts (id, name, created_at) values ('${ACCOUNT}', 'Ada', now());
      insert into orders.porting_orders (id, account_id, batch_id, status, provider, country_code, number_type, cancel,
          created_at, updated_at, requirement_profile_id)
        values ('${ORDER}', '${ACCOUNT}', '${ORDER}', 'cancelled', 'sandbox', 'US', 'local', '{"asked_by": "ops"}',
          now(), now(), '${ORDER}');
      insert into webhooks.endpoints (id, account_id, url, signing_secret, secret_key_id, created_at, updated_at)
        values ('${ENDPOINT}', '${ACCOUNT}', 'HTTPS://Example.com:443?a=B', '', 'key', now(), now());
      insert into webhooks.order_destinations (order_id, account_id, url)
        values ('${ORDER}', '${ACCOUNT}', 'http://example.com:8080/Hook');
      insert into orders.numbers (account_id, phone_number, status, country_code, number_type, provider,
          porting_order_id, activated_at)
        values ('${ACCOUNT}', '+12125550100', 'active', 'US', 'local', 'sandbox', '${ORDER}', now());
      insert into orders.port_outs (id, account_id, provider, port_out_ref, status, gaining_carrier, requested_foc,
          provider_status, created_at, updated_at)
        values ('${PORT_OUT}', '${ACCOUNT}', 'sandbox', 'ref', 'requested', 'Other', '', '', now(), now());
      insert into orders.port_out_numbers (port_out_id, position, account_id, phone_number, open)
        values ('${PORT_OUT}', 0, '${ACCOUNT}', '+12125550100', true);
      insert into messaging.schema_ids (subject, text_hash, id) values ('a-value', '\\x01', 7), ('a-value', '\\x02', 7)`,
    );
    await migrate(url);
    const read = `select o.cancel->'reason' as reason, e.href, d.href as order_href, p.porting_order_id, k.id as schema_id
      from orders.porting_orders o, webhooks.endpoints e, webhooks.order_destinations d,
        orders.port_out_numbers p, messaging.known_schemas k`;
    expect(await run(url, read)).toEqual([
      {
        reason: { code: null, detail: "The porting desk gave no reason.", raised_by: "desk" },
        href: "https://example.com/?a=B",
        order_href: "http://example.com:8080/Hook",
        porting_order_id: ORDER,
        schema_id: 7,
      },
    ]);
  });
});

it("a database of a version before 0.3.0 is refused, and stays as it is", async () => {
  const { url } = await createDatabaseOf03({ onItsFirstDay: true });
  await run(url, "delete from public.migrations where right(name, 2) in ('96', '97')");
  const before = await schemaLines(url);
  await expect(migrate(url)).rejects.toMatchObject({
    code: "invalid_state",
    message:
      "This database is of a version before 0.3.0 (its last migration is LeanDeliveryIndexes1700000000095): upgrade it to 0.3.0, and then to this version. Nothing was changed.",
  });
  expect(await schemaLines(url)).toEqual(before);
});
