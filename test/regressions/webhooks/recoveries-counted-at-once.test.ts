import { beforeAll, describe, expect, it } from "@jest/globals";
import { inTransaction, queryRows } from "../../../services/platform/db/transaction.ts";
import { eventually } from "../../support/eventually.ts";
import { call, type Answer } from "../../support/http/call.ts";
import { startWebhookApi, type RunningApi } from "../../support/webhooks/webhook-calls.ts";
import { openWebhookStack, type WebhookStack } from "../../support/webhooks/webhook-stack.ts";

const ENDPOINTS = "/v2/webhook_endpoints";
/** As many requests as one account may send at once. */
const AT_ONCE = 20;

let stack: WebhookStack;
let api: RunningApi;

beforeAll(async () => {
  stack = await openWebhookStack({ retrySchedule: "1h", onBroker: false });
  api = await startWebhookApi(stack, { allowCidrs: [], allowHttp: false });
});

async function newEndpoint() {
  const account = await stack.newAccount();
  const { id } = await stack.newEndpoint(account, "https://hooks.example.com");
  return { account, id };
}

function dryRun({ account, id }: Awaited<ReturnType<typeof newEndpoint>>): Promise<Answer> {
  const since = new Date(Date.now() - 3_600_000).toISOString();
  return call(`${api.url}${ENDPOINTS}/${id}/recover`, {
    method: "POST",
    key: account,
    body: { since, mode: "all", dry_run: true },
  });
}

/** The number of counts that the database works at. */
async function counting(): Promise<number> {
  const rows = await queryRows(stack.pool, {
    text: `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      and query like 'with page as materialized%'`,
  });
  return rows.length;
}

/** Twenty dry runs over a long range took all connections for webhook endpoints, for up to a minute. */
describe("recoveries that take long to count", () => {
  it("leave others the connections: one of an account and two in a process run, and the rest are refused", async () => {
    const [greedy, second, third] = [await newEndpoint(), await newEndpoint(), await newEndpoint()];
    let running: Promise<Answer[]> = Promise.resolve([]);
    await inTransaction(stack.pool, async (tx) => {
      // No count ends while the log is locked.
      await queryRows(tx, { text: "lock table events.log in access exclusive mode" });
      const asked = Array.from({ length: AT_ONCE }, () => dryRun(greedy));
      const other = dryRun(second);
      await eventually(async () => {
        expect(await counting()).toBe(2);
      });
      running = Promise.all([...asked, other]);
      const refused = await dryRun(third);
      expect([refused.status, refused.body?.["code"]]).toEqual([429, "rate_limited"]);
      expect(refused.headers.get("Retry-After")).toBe("1");
      expect((await call(api.url + ENDPOINTS, { key: third.account })).status).toBe(200);
      expect(await counting()).toBe(2);
    });
    const answers = await running;
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      ...[202, 202],
      ...Array<number>(AT_ONCE - 1).fill(429),
    ]);
    expect((await dryRun(third)).status).toBe(202);
  });
});
