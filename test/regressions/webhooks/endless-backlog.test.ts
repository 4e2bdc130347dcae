/** @tier nightly */
import { beforeAll, describe, expect, it } from "@jest/globals";
import { cancelRecovery } from "../../../services/api/webhooks/recoveries/store.ts";
import {
  deleteEndpoint,
  updateEndpoint,
} from "../../../services/domain/webhook/store/endpoints.ts";
import { cancelLeft, settleLeft } from "../../../services/domain/webhook/store/settle-waiting.ts";
import { inTransaction, queryRows } from "../../../services/platform/db/transaction.ts";
import { newId } from "../../../services/platform/ids.ts";
import { openWebhookStack, type WebhookStack } from "../../support/webhooks/webhook-stack.ts";

/** More deliveries than two statements settle. */
const WAITING = 25_000;
const AT_ONCE = 10_000;
/** A busy machine inserts no more within the time of a statement. */
const ADDED = 5_000;

let stack: WebhookStack;
let account: string;

beforeAll(async () => {
  stack = await openWebhookStack({ retrySchedule: "1h", onBroker: false });
  account = await stack.newAccount();
});

async function endpointWithBacklog(): Promise<string> {
  const { id } = await stack.newEndpoint(account, "https://hooks.example.com");
  for (let added = 0; added < WAITING; added += ADDED) {
    await queryRows(stack.pool, {
      text: `insert into webhooks.deliveries (id, created_at, account_id, event_id, event_type, event_at, cause_id,
          trigger, endpoint_id, endpoint_key, url, status, priority, next_attempt_at)
        select messaging.uuid_at(t.at), t.at, $1, gen_random_uuid(), 'porting_order.created', t.at, gen_random_uuid(),
          'event', $2, $2, 'https://hooks.example.com', 'retrying', 1, t.at + interval '6 hours'
        from (select date_trunc('milliseconds', now()) as at from generate_series(1, ${ADDED})) t`,
      values: [account, id],
    });
  }
  return id;
}

/** The number of deliveries by status. */
async function statuses(endpointId: string): Promise<Record<string, number>> {
  const rows = await queryRows<{ status: string; n: number }>(stack.pool, {
    text: "select status, count(*) as n from webhooks.deliveries where endpoint_key = $1 group by 1",
    values: [endpointId],
  });
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
}

function become(id: string, active: boolean): Promise<unknown> {
  return inTransaction(stack.pool, (tx) =>
    updateEndpoint(tx, { accountId: account, id }, { patch: { active }, now: new Date() }),
  );
}

/** One statement settled all deliveries; 200,000 exceeded its timeout, and the endpoint could not be stopped. */
describe("an endpoint with more waiting deliveries than one statement may settle", () => {
  it("is paused at once; a sender settles the remaining deliveries", async () => {
    const id = await endpointWithBacklog();
    await become(id, false);
    expect(await statuses(id)).toEqual({ skipped: AT_ONCE, retrying: WAITING - AT_ONCE });
    const settled = [
      await settleLeft(stack.pool, new Date()),
      await settleLeft(stack.pool, new Date()),
    ];
    expect(settled).toEqual([AT_ONCE, WAITING - 2 * AT_ONCE]);
    expect(await statuses(id)).toEqual({ skipped: WAITING });
  });

  it("has no waiting deliveries left once it is resumed", async () => {
    const id = await endpointWithBacklog();
    await become(id, false);
    await become(id, true);
    expect(await statuses(id)).toEqual({ skipped: WAITING });
  });

  it("is deleted at once; a sender cancels the remaining deliveries", async () => {
    const id = await endpointWithBacklog();
    await deleteEndpoint(stack.pool, { accountId: account, id }, new Date());
    while ((await settleLeft(stack.pool, new Date())) > 0);
    expect(await statuses(id)).toEqual({ cancelled: WAITING });
  });

  it("is deleted at once where the planner expects that hardly any delivery waits", async () => {
    await queryRows(stack.pool, { text: "analyze webhooks.deliveries" });
    const id = await endpointWithBacklog();
    await deleteEndpoint(stack.pool, { accountId: account, id }, new Date());
    expect(await statuses(id)).toEqual({ cancelled: AT_ONCE, retrying: WAITING - AT_ONCE });
    while ((await settleLeft(stack.pool, new Date())) > 0);
  });

  it("keeps waiting deliveries while it is active", async () => {
    const id = await endpointWithBacklog();
    expect(await settleLeft(stack.pool, new Date())).toBe(0);
    expect(await statuses(id)).toEqual({ retrying: WAITING });
  });
});

describe("a recovery with more waiting deliveries than one statement may settle", () => {
  /** A recovery whose deliveries all wait, some of them after an interrupted attempt. */
  async function recoveryWithBacklog(): Promise<{
    readonly id: string;
    readonly endpoint: string;
  }> {
    const endpoint = await endpointWithBacklog();
    const id = newId(new Date());
    await queryRows(stack.pool, {
      text: `insert into webhooks.recoveries (id, account_id, endpoint_id, mode, since, until, status, total, position,
          last_seq, created_at)
        values ($1, $2, $3, 'all', now() - interval '1 day', now(), 'running', ${WAITING}, 0, ${WAITING}, now())`,
      values: [id, account, endpoint],
    });
    await queryRows(stack.pool, {
      text: `update webhooks.deliveries set trigger = 'recover', cause_id = $2, priority = 2, attempt_count = 1,
          claimed_at = now() - interval '1 minute', lease_until = now() - interval '30 seconds'
        where endpoint_key = $1`,
      values: [endpoint, id],
    });
    return { id, endpoint };
  }

  const cancel = (id: string): Promise<void> =>
    inTransaction(stack.pool, (tx) =>
      cancelRecovery(tx, { accountId: account, now: new Date() }, id),
    );

  it("is cancelled at once; a sender cancels the remaining deliveries", async () => {
    const { id, endpoint } = await recoveryWithBacklog();
    expect(await cancelLeft(stack.pool, new Date())).toBe(0);
    await cancel(id);
    expect(await statuses(endpoint)).toEqual({ cancelled: AT_ONCE, retrying: WAITING - AT_ONCE });
    const cancelled = [
      await cancelLeft(stack.pool, new Date()),
      await cancelLeft(stack.pool, new Date()),
    ];
    expect(cancelled).toEqual([AT_ONCE, WAITING - 2 * AT_ONCE]);
    expect(await statuses(endpoint)).toEqual({ cancelled: WAITING });
    const logged = await queryRows(stack.pool, {
      text: `select distinct attempt_log->0->'error'->>'code' as code from webhooks.deliveries where cause_id = $1`,
      values: [id],
    });
    expect(logged).toEqual([{ code: "interrupted" }]);
  });

  it("leaves those that are retried by hand, and those of other causes", async () => {
    const { id, endpoint } = await recoveryWithBacklog();
    await queryRows(stack.pool, {
      text: `update webhooks.deliveries d set by_hand = n = 1, cause_id = case n when 2 then d.id else d.cause_id end
        from (select id, row_number() over () as n from webhooks.deliveries where endpoint_key = $1) u
        where d.id = u.id and u.n <= 2`,
      values: [endpoint],
    });
    await cancel(id);
    while ((await cancelLeft(stack.pool, new Date())) > 0);
    expect(await statuses(endpoint)).toEqual({ cancelled: WAITING - 2, retrying: 2 });
  });
});
