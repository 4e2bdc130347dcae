/** @tier all */
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { PoolClient } from "pg";
import { toStorable } from "../../../services/domain/event/rules/storable-event.ts";
import { createLogger } from "../../../services/platform/logger.ts";
import { readConfig } from "../../../services/webhook-sender/config.ts";
import { claimDeliveries } from "../../../services/webhook-sender/store/claim-deliveries.ts";
import {
  createDispatchPool,
  createFanOutPool,
} from "../../../services/webhook-sender/queue/dispatcher.ts";
import { dueDeliveries } from "../../../services/webhook-sender/store/due-deliveries.ts";
import { fanOut } from "../../../services/webhook-sender/store/fan-out.ts";
import { recordResults } from "../../../services/webhook-sender/store/record-results.ts";
import { readPlan } from "../../support/stack/read-plan.ts";
import { endAfterTests } from "../../support/lifetime/end-after-tests.ts";
import { freshEvent } from "../../support/orders/event-factory.ts";
import { openWebhookStack, type WebhookStack } from "../../support/webhooks/webhook-stack.ts";

const WAITING = 20;
const SETTLED = 20_000;
const LIMIT = 10;

let stack: WebhookStack;
let client: PoolClient;
let endpointId: string;
let waiting: readonly string[];
let now: Date;

beforeAll(async () => {
  stack = await openWebhookStack({ retrySchedule: "1h", onBroker: false });
});

/** A connection that has made its plans for the few deliveries of a new month, of which there are many now. */
beforeEach(async () => {
  const account = await stack.newAccount();
  const endpoint = await stack.newEndpoint(account, "https://hooks.example.com");
  endpointId = endpoint.id;
  now = new Date();
  const made = await fanOut(stack.pool, {
    consumer: "webhook-sender",
    events: Array.from({ length: WAITING }, () => toStorable(freshEvent(account))),
    positions: [{ topic: "porting.events", partition: 0, nextOffset: 1 }],
    now,
  });
  waiting = made.waiting.flatMap(({ delivery_ids }) => delivery_ids);
  const config = readConfig(stack.env);
  const pool = createDispatchPool(config, createLogger("test", "silent"));
  endAfterTests(() => pool.end());
  client = await pool.connect();
  await claimDeliveries(client, [], now);
  await dueDeliveries(client, [{ endpoint_key: endpointId, priority: 0 }], { now, limit: LIMIT });
  await recordResults(client, []);
  await stack.pool.query(
    `insert into webhooks.deliveries (id, created_at, account_id, event_id, event_type, event_at, cause_id, trigger,
        endpoint_id, endpoint_key, order_id, url, status, completed_at)
      select messaging.uuid_at(d.created_at), d.created_at, d.account_id, e.id, d.event_type, d.event_at, e.id, 'event',
        d.endpoint_id, d.endpoint_key, d.order_id, d.url, 'succeeded', now()
      from (select * from webhooks.deliveries where endpoint_id = $1 limit 1) d
      cross join lateral (select messaging.uuid_at(d.created_at) as id from generate_series(1, $2::integer)) e`,
    [endpointId, SETTLED],
  );
});

afterEach(() => {
  client.release(true);
});

/** The deliveries that an old plan of the prepared statement reads. */
async function readsOf(execution: string): Promise<number> {
  const { rows } = await client.query(`explain (analyze, format json) execute ${execution}`);
  return readPlan(rows[0], "deliveries").rowsRead;
}

describe("the dispatch of deliveries, by plans that it made when there were few", () => {
  it("reads of what is due as many as it asks for", async () => {
    const at = new Date(now.getTime() + 1).toISOString();
    const reads = await readsOf(`"deliveries-due" ('{${endpointId}}', '${at}', ${LIMIT}, '{0}')`);
    expect(reads).toBe(1 + LIMIT);
  });

  it("claims what it names, each found by its key", async () => {
    const reads = await readsOf(
      `"deliveries-claim" ('{${waiting.join()}}', '${now.toISOString()}')`,
    );
    expect(reads).toBeLessThanOrEqual(3 * WAITING);
  });

  it("records the results of those that it claimed alone", async () => {
    await claimDeliveries(client, waiting, now);
    const results = waiting.map((id) => ({
      id,
      claim_no: 1,
      outcome: "attempt_succeeded",
      due_at: null,
      ended_at: now,
      entry: {},
    }));
    const reads = await readsOf(`"deliveries-record" ('${JSON.stringify(results)}')`);
    expect(reads).toBeLessThanOrEqual(3 * WAITING);
  });
});

describe("the fan-out", () => {
  it("is planned once for all batches of a connection", async () => {
    const pool = createFanOutPool(readConfig(stack.env), createLogger("test", "silent"));
    endAfterTests(() => pool.end());
    const db = await pool.connect();
    const account = await stack.newAccount();
    for (let offset = 1; offset <= 8; offset += 1) {
      await fanOut(db, {
        consumer: "webhook-sender",
        events: [toStorable(freshEvent(account))],
        positions: [{ topic: "porting.events", partition: 0, nextOffset: offset }],
        now: new Date(),
      });
    }
    const { rows } = await db.query(
      "select generic_plans as kept, custom_plans as made from pg_prepared_statements where name = 'webhooks-fan-out'",
    );
    db.release();
    expect(rows).toEqual([{ kept: 8, made: 0 }]);
  });
});
