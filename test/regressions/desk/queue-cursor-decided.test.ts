import { beforeAll, expect, it } from "@jest/globals";
import type pg from "pg";
import { closeCase, openCase } from "../../../services/domain/review/store/cases.ts";
import { listOpenCases } from "../../../services/desk/reviews/store.ts";
import { newId } from "../../../services/platform/ids.ts";
import { createTestDatabase, type TestDatabase } from "../../support/stack/test-stack.ts";
import { connectClient } from "../../support/stack/test-client.ts";

const NOW = new Date("2026-03-02T12:00:00Z");
const ACCOUNT = newId(NOW);

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = await connectClient(database.url);
  await client.query(
    `insert into accounts.accounts (id, name, status, created_at) values ($1, 'Acme', 'active', $2)`,
    [ACCOUNT, NOW],
  );
});

async function waitingOrder(minute: number): Promise<string> {
  const orderId = newId(NOW);
  await client.query(
    `with asked as (
      insert into orders.requirement_profiles (id, items) values (orders.requirement_profile_id('[]'), '[]')
      on conflict do nothing
    ) insert into orders.porting_orders (id, account_id, batch_id, status, review_attempt, provider, country_code,
        number_type, created_at, updated_at, requirement_profile_id)
      values ($1, $2, $1, 'in_review', 1, 'sandbox', 'US', 'local', $3, $3, orders.requirement_profile_id('[]'))`,
    [orderId, ACCOUNT, NOW],
  );
  const submittedAt = new Date(NOW.getTime() + minute * 60_000);
  const times = { submittedAt, dueAt: submittedAt };
  await openCase(client, { orderId, accountId: ACCOUNT, attempt: 1, ...times, changedSlugs: [] });
  return orderId;
}

async function after(cursorId: string | null): Promise<string[]> {
  const scan = { direction: "asc", comparison: ">", cursorId, fetch: 2, now: NOW } as const;
  return (await listOpenCases(client, { scan, filter: {} })).map((one) => one.order_id);
}

/** An operator who decided all cases of a page before requesting the next one got an empty page. */
it("the page after a case that was decided meanwhile has the cases that follow it", async () => {
  const [one, two, three] = [await waitingOrder(1), await waitingOrder(2), await waitingOrder(3)];
  expect(await after(null)).toEqual([one, two]);
  const decided = { verdicts: [], operatorId: newId(NOW), at: NOW };
  await closeCase(client, { orderId: two, attempt: 1 }, decided);
  expect(await after(two)).toEqual([three]);
});
