import { beforeAll, describe, expect, it } from "@jest/globals";
import type { Pool } from "pg";
import { migrate } from "../../../infra/migrate/migrate.ts";
import { queryRows } from "../../../services/platform/db/transaction.ts";
import { newId } from "../../../services/platform/ids.ts";
import { recordResults } from "../../../services/webhook-sender/store/record-results.ts";
import { openPoolAt } from "../../support/stack/test-pool.ts";
import type { TestDatabase } from "../../support/stack/test-stack.ts";
import { createDatabaseOf03 } from "../../support/upgrade/database-of-0.3.ts";
import { everyDelivery } from "../../support/webhooks/webhook-stack.ts";
import { claimOf } from "../../support/webhooks/attempt-once.ts";

let database: TestDatabase;
let pool: Pool;
const account = newId(new Date());
const endpoint = newId(new Date());

/** Begins a delivery as 0.3 does; returns its id. */
async function begin(): Promise<string> {
  const id = newId(new Date());
  await queryRows(pool, {
    text: `insert into webhooks.begun_deliveries (id, created_at, claimed_at, lease_until, account_id, event_id,
        endpoint_id, event_type, url)
      values ($1, messaging.time_of($1), now(), now() + interval '30 seconds', $2, gen_random_uuid(),
        $3, 'call.missed', 'https://example.com')`,
    values: [id, account, endpoint],
  });
  return id;
}

beforeAll(async () => {
  database = await createDatabaseOf03();
  pool = openPoolAt(database.url);
  await queryRows(pool, {
    text: "insert into accounts.accounts (id, name, created_at) values ($1, 'test', now())",
    values: [account],
  });
  await queryRows(pool, {
    text: `insert into webhooks.endpoints (id, account_id, url, enabled_events, active, signing_secret, secret_key_id,
        created_at, updated_at)
      values ($1, $2, 'https://example.com', '{}', true, '', 'key', now(), now())`,
    values: [endpoint, account],
  });
});

describe("an upgrade from 0.3, which kept begun deliveries apart", () => {
  it("puts them among the others under their claims, and so what such a sender begins later", async () => {
    const id = await begin();
    await migrate(database.url);
    const shown = { id, status: "pending", attempting: true, attempt_count: 0 };
    expect(await everyDelivery(pool, account)).toMatchObject([shown]);
    const endedAt = new Date();
    const entry = {
      ...{ attempt: 1, started_at: endedAt.toISOString(), duration_ms: 1 },
      ...{ response_code: 200, error: null, response_body: "" },
    };
    const delivery = { ...claimOf("https://example.com"), id, claim_no: 1 };
    await recordResults(pool, [
      { delivery, outcome: { trigger: "attempt_succeeded" }, endedAt, entry },
    ]);
    const later = await begin();
    expect(await everyDelivery(pool, account)).toMatchObject([
      { id, status: "succeeded", attempt_count: 1 },
      { id: later, status: "pending", attempting: false, attempt_count: 0 },
    ]);
    const left = await queryRows(pool, { text: "select from webhooks.begun_deliveries" });
    expect(left).toEqual([]);
  });
});
