import { beforeAll, describe, expect, it } from "@jest/globals";
import type { Pool } from "pg";
import { queryRows } from "../../../services/platform/db/transaction.ts";
import {
  dropOldDeliveryPartitions,
  makeDeliveryPartitions,
} from "../../../services/webhook-sender/store/delivery-partitions.ts";
import { call, dataOf } from "../../support/http/call.ts";
import { freshEvent } from "../../support/orders/event-factory.ts";
import { eventually } from "../../support/eventually.ts";
import { startWebhookApi, type RunningApi } from "../../support/webhooks/webhook-calls.ts";
import { openWebhookStack, type WebhookStack } from "../../support/webhooks/webhook-stack.ts";
import {
  startWebhookReceiver,
  type WebhookReceiver,
} from "../../support/webhooks/webhook-receiver.ts";
import { openPoolAt } from "../../support/stack/test-pool.ts";

const DAY_MS = 86_400_000;
const NOW = new Date("2024-06-15T12:00:00Z");

let stack: WebhookStack;
let receiver: WebhookReceiver;
let api: RunningApi;
/** A pool with exactly the sender's rights. */
let pool: Pool;

beforeAll(async () => {
  [stack, receiver] = await Promise.all([
    openWebhookStack({ retrySchedule: "1h" }),
    startWebhookReceiver(),
  ]);
  api = await startWebhookApi(stack, { allowCidrs: ["127.0.0.0/8"], allowHttp: true });
  pool = openPoolAt(stack.env["DATABASE_URL"] ?? "", { role: "porting_webhook_sender" });
});

/** Inserts a delivery of a cause at a time; returns its id. */
async function addDelivery(at: string, status: string): Promise<string> {
  const [row] = await queryRows<{ id: string }>(stack.pool, {
    text: `insert into webhooks.deliveries (id, created_at, account_id, event_id, event_type, event_at, cause_id,
        trigger, endpoint_key, url, status)
      values (messaging.uuid_at($1), $1, gen_random_uuid(), gen_random_uuid(), 'call.missed', $1,
        gen_random_uuid(), 'event', gen_random_uuid(), 'https://example.com', $2) returning id`,
    values: [at, status],
  });
  return row?.id ?? "";
}

async function setStatus(id: string, status: string): Promise<void> {
  await queryRows(stack.pool, {
    text: "update webhooks.deliveries set status = $2 where id = $1 and created_at = messaging.time_of($1)",
    values: [id, status],
  });
}

const drop = (days: number) => dropOldDeliveryPartitions(pool, days, NOW);

describe("DELIVERY_RETENTION_DAYS", () => {
  it("drops the months that ended before, except those with a waiting delivery", async () => {
    await makeDeliveryPartitions(pool, new Date("2024-01-01"), NOW);
    await addDelivery("2024-01-10T00:00:00Z", "failed");
    const retrying = await addDelivery("2024-02-29T23:59:59.999Z", "retrying");
    const pending = await addDelivery("2024-03-01T00:00:00Z", "pending");
    await addDelivery("2024-05-16T00:00:00Z", "succeeded");
    expect(await drop(0)).toEqual([]);
    expect(await drop(30)).toEqual(["deliveries_202401", "deliveries_202404"]);
    await setStatus(retrying, "failed");
    expect(await drop(30)).toEqual(["deliveries_202402"]);
    await setStatus(pending, "succeeded");
    // May ended 14.5 days ago.
    expect(await drop(15)).toEqual(["deliveries_202403"]);
    expect(await drop(14)).toEqual(["deliveries_202405"]);
    expect(await drop(14)).toEqual([]);
  });

  it("does not wait for locks, and keeps a month in which a delivery was just set to be sent again", async () => {
    await makeDeliveryPartitions(pool, new Date("2024-02-01"), new Date("2024-02-02"));
    const failed = await addDelivery("2024-02-01T00:00:00Z", "failed");
    const other = await stack.pool.connect();
    try {
      await other.query("begin");
      await other.query("update webhooks.deliveries set status = 'retrying' where id = $1", [
        failed,
      ]);
      expect(await drop(30)).toEqual([]);
      await other.query("commit");
      expect(await drop(30)).toEqual([]);
    } finally {
      other.release();
    }
    await setStatus(failed, "succeeded");
    expect(await drop(30)).toEqual(["deliveries_202402"]);
  });

  it("keeps the events, and a recovery does not treat dropped deliveries as missing", async () => {
    const sender = await stack.startSender();
    const account = await stack.newAccount();
    const { id } = await stack.newEndpoint(account, `${receiver.url}/old`);
    const at = new Date(Date.now() - 100 * DAY_MS);
    const event = freshEvent(account, at);
    await stack.publish([event]);
    await eventually(async () => {
      const [found] = await stack.deliveries(account);
      expect(found?.status).toBe("succeeded");
    });
    const missing = async () => {
      const body = { since: new Date(at.getTime() - DAY_MS), mode: "missing", dry_run: true };
      const path = `${api.url}/v2/webhook_endpoints/${id}/recover`;
      return (await call(path, { method: "POST", key: account, body })).body?.["total"];
    };
    expect(await missing()).toBe(0);
    await makeDeliveryPartitions(pool, at, at);
    await queryRows(stack.pool, {
      text: "update webhooks.deliveries set id = messaging.uuid_at($2), created_at = $2 where account_id = $1",
      values: [account, at],
    });
    expect(await missing()).toBe(0);
    const dropped = await dropOldDeliveryPartitions(pool, 60, new Date());
    expect(dropped).toContain(`deliveries_${at.toISOString().slice(0, 7).replace("-", "")}`);
    expect(await stack.deliveries(account)).toEqual([]);
    expect(await missing()).toBe(0);
    const path = `${api.url}/v2/porting/events/${event.id}/republish`;
    const again = await call(path, { method: "POST", key: account });
    expect([again.status, dataOf(again)]).toMatchObject([202, [{ trigger: "republish" }]]);
    await eventually(() => expect(receiver.received).toHaveLength(2));
    await sender.stop();
  });
});
