import { createHmac } from "node:crypto";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { until } from "../../../infra/start/supervisor/until.ts";
import type { Delivery } from "../../../services/domain/webhook/rules/delivery.ts";
import {
  deleteEndpoint,
  updateEndpoint,
} from "../../../services/domain/webhook/store/endpoints.ts";
import { inTransaction, queryRows } from "../../../services/platform/db/transaction.ts";
import { newId } from "../../../services/platform/ids.ts";
import type { RunningService } from "../../../services/platform/run-service.ts";
import { buildEvent, freshEvent } from "../../support/orders/event-factory.ts";
import { openWebhookStack, type WebhookStack } from "../../support/webhooks/webhook-stack.ts";
import {
  startWebhookReceiver,
  type ReceivedWebhook,
  type WebhookReceiver,
} from "../../support/webhooks/webhook-receiver.ts";

let stack: WebhookStack;
let receiver: WebhookReceiver;
let sender: RunningService;
const FAILING = "/fails";

beforeAll(async () => {
  stack = await openWebhookStack({ retrySchedule: "1s,2s" });
  receiver = await startWebhookReceiver(({ path }) => (path.startsWith(FAILING) ? 500 : 200));
  sender = await stack.startSender();
});

const at = (path: string): ReceivedWebhook[] =>
  receiver.received.filter((webhook) => webhook.path === path);

async function whenDeliveries(
  accountId: string,
  is: (deliveries: readonly Delivery[]) => boolean,
): Promise<Delivery[]> {
  let found: Delivery[] = [];
  const look = async (): Promise<boolean> => {
    found = await stack.deliveries(accountId);
    return is(found);
  };
  await until(look, { timeoutMs: 30_000, what: "the deliveries" });
  return found;
}

const allAre =
  (status: Delivery["status"], count: number) =>
  (deliveries: readonly Delivery[]): boolean =>
    deliveries.length === count && deliveries.every((one) => one.status === status);

describe("a webhook", () => {
  it("is sent once, signed, to each matching endpoint, and is logged", async () => {
    const account = await stack.newAccount();
    const all = await stack.newEndpoint(account, `${receiver.url}/all?x=1`);
    await stack.newEndpoint(account, `${receiver.url}/other`, { enabled_events: ["loa.signed"] });
    await stack.newEndpoint(account, `${receiver.url}/these`, {
      enabled_events: ["porting_order.created"],
    });
    const event = freshEvent(account);
    await stack.publish([event]);
    const deliveries = await whenDeliveries(account, allAre("succeeded", 2));
    expect(at("/other")).toHaveLength(0);
    expect(at("/these")).toHaveLength(1);
    const [webhook] = at("/all?x=1");
    const body = webhook?.body ?? Buffer.alloc(0);
    const timestamp = /^t=(\d+),/.exec(String(webhook?.headers["porting-signature"]))?.[1] ?? "";
    const hmac = createHmac("sha256", all.secret).update(`${timestamp}.`).update(body);
    expect(webhook?.headers).toMatchObject({
      "content-type": "application/json",
      "porting-event-id": event.id,
      "porting-event-type": "porting_order.created",
      "porting-signature": `t=${timestamp},v1=${hmac.digest("hex")}`,
      "webhook-id": event.id,
      "webhook-timestamp": timestamp,
    });
    const record = deliveries.find((one) => one.webhook_endpoint_id === all.id);
    expect(record).toMatchObject({
      event_id: event.id,
      event_type: "porting_order.created",
      url: `${receiver.url}/all?x=1`,
      porting_order_id: event.order_id,
      trigger: "event",
      attempt_count: 1,
      next_attempt_at: null,
      created_at: new Date(event.created_at),
      completed_at: expect.any(Date),
      payload: JSON.parse(body.toString("utf8")) as unknown,
      attempt_log: [{ attempt: 1, response_code: 200, error: null, response_body: "" }],
    });
    expect(Object.keys(JSON.parse(body.toString("utf8")) as object)).toEqual([
      "id",
      "type",
      "created_at",
      "payload",
    ]);
  });

  // (docs/contract/customer-api.md, Conventions)
  it("is sent only once its event can be read", async () => {
    const account = await stack.newAccount();
    const readable = await startWebhookReceiver(async ({ headers, body }) => {
      const rows = await queryRows<{ body: Buffer }>(stack.pool, {
        text: "select body from events.log where account_id = $1 and id = $2",
        values: [account, headers["porting-event-id"]],
      });
      return rows[0]?.body.equals(body) === true ? 200 : 500;
    });
    await stack.newEndpoint(account, readable.url);
    await stack.publish(Array.from({ length: 20 }, () => freshEvent(account)));
    const deliveries = await whenDeliveries(account, allAre("succeeded", 20));
    expect(new Set(deliveries.map((one) => one.attempt_count))).toEqual(new Set([1]));
  });

  it("of an order with its own URL is sent only there, signed by the account or the endpoint with that URL", async () => {
    const account = await stack.newAccount();
    await stack.newEndpoint(account, `${receiver.url}/not-me`);
    const twin = await stack.newEndpoint(account, `${receiver.url}/twin`, {
      enabled_events: ["loa.signed"],
    });
    const urls = [`${receiver.url}/own`, `${receiver.url}/twin`];
    const events = urls.map(() => ({ ...freshEvent(account), order_id: newId(new Date()) }));
    for (const [n, event] of events.entries()) {
      event.sequence_key = event.order_id;
      await queryRows(stack.pool, {
        text: "insert into webhooks.order_destinations (order_id, account_id, url) values ($1, $2, $3)",
        values: [event.order_id, account, urls[n]],
      });
    }
    const call = buildEvent("call.missed", {
      id: newId(new Date()),
      account_id: account,
      created_at: new Date(),
    });
    await stack.publish(events);
    await whenDeliveries(account, allAre("succeeded", 2));
    expect(at("/not-me")).toHaveLength(0);
    expect(at("/own")).toHaveLength(1);
    const [toTwin] = at("/twin");
    const signature = String(toTwin?.headers["porting-signature"]);
    const [, timestamp = ""] = /^t=(\d+),/.exec(signature) ?? [];
    const hmac = createHmac("sha256", twin.secret).update(`${timestamp}.`);
    expect(signature).toBe(`t=${timestamp},v1=${hmac.update(toTwin?.body ?? "").digest("hex")}`);
    expect((await stack.deliveries(account)).map((one) => one.webhook_endpoint_id)).toEqual([
      null,
      null,
    ]);
    await stack.publish([
      { ...call, created_at: Number.parseInt(call.id.slice(0, 8) + call.id.slice(9, 13), 16) },
    ]);
    await whenDeliveries(account, allAre("succeeded", 3));
    expect(at("/not-me")).toHaveLength(1);
  });

  // The queue's key was a bare hash, which is a valid UUID one time in eight: other announcements were dead-lettered.
  it("to an order's own URL is announced whatever that URL is", async () => {
    const account = await stack.newAccount();
    const events = Array.from({ length: 16 }, () => {
      const order_id = newId(new Date());
      return { ...freshEvent(account), order_id, sequence_key: order_id };
    });
    for (const { order_id } of events) {
      await queryRows(stack.pool, {
        text: "insert into webhooks.order_destinations (order_id, account_id, url) values ($1, $2, $3)",
        values: [order_id, account, `${receiver.url}/${order_id}`],
      });
    }
    await stack.publish(events);
    await whenDeliveries(account, allAre("succeeded", events.length));
    const letters = { text: "select error_code from messaging.dead_letters" };
    expect(await queryRows(stack.pool, letters)).toEqual([]);
  });

  it("to an order's own URL is cancelled where that was removed before the next attempt", async () => {
    const account = await stack.newAccount();
    const orderId = newId(new Date());
    await queryRows(stack.pool, {
      text: "insert into webhooks.order_destinations (order_id, account_id, url) values ($1, $2, $3)",
      values: [orderId, account, `${receiver.url}${FAILING}/removed`],
    });
    await stack.publish([{ ...freshEvent(account), order_id: orderId, sequence_key: orderId }]);
    await whenDeliveries(account, allAre("retrying", 1));
    await queryRows(stack.pool, {
      text: "delete from webhooks.order_destinations where order_id = $1",
      values: [orderId],
    });
    const [delivery] = await whenDeliveries(account, allAre("cancelled", 1));
    expect(delivery?.attempt_log).toHaveLength(1);
    expect(at(`${FAILING}/removed`)).toHaveLength(1);
  });

  it("that fails is retried after each delay of the schedule, then marked as failed", async () => {
    const account = await stack.newAccount();
    const { id } = await stack.newEndpoint(account, `${receiver.url}${FAILING}`);
    await stack.publish([freshEvent(account)]);
    const [delivery] = await whenDeliveries(account, allAre("failed", 1));
    const log = delivery?.attempt_log ?? [];
    expect(log.map((entry) => [entry.attempt, entry.response_code, entry.error?.code])).toEqual([
      [1, 500, "http_error"],
      [2, 500, "http_error"],
      [3, 500, "http_error"],
    ]);
    const starts = log.map((entry) => Date.parse(entry.started_at));
    const waits = starts.slice(1).map((start, n) => start - (starts[n] ?? 0));
    for (const [n, due] of [1_000, 2_000].entries()) {
      expect(waits[n]).toBeGreaterThanOrEqual(due);
      expect(waits[n]).toBeLessThan(due + 500);
    }
    const [health] = await queryRows(stack.pool, {
      text: "select consecutive_failures, last_success_at from webhooks.endpoint_health where endpoint_id = $1",
      values: [id],
    });
    expect(health).toEqual({ consecutive_failures: 3, last_success_at: null });
  });

  it("waits while its account is suspended", async () => {
    const account = await stack.newAccount();
    const setStatus = (status: string) =>
      queryRows(stack.pool, {
        text: "update accounts.accounts set status = $2 where id = $1",
        values: [account, status],
      });
    await stack.newEndpoint(account, `${receiver.url}/suspended`);
    await setStatus("suspended");
    const marker = await stack.newAccount();
    await stack.newEndpoint(marker, `${receiver.url}/marker`);
    await stack.publish([freshEvent(account)]);
    await whenDeliveries(account, allAre("pending", 1));
    await stack.publish([freshEvent(marker)]);
    await whenDeliveries(marker, allAre("succeeded", 1));
    expect(at("/suspended")).toHaveLength(0);
    await setStatus("active");
    await whenDeliveries(account, allAre("succeeded", 1));
    expect(at("/suspended")).toHaveLength(1);
  });

  it("that waits is cancelled with its endpoint, or skipped when that is paused", async () => {
    const account = await stack.newAccount();
    const deleted = await stack.newEndpoint(account, `${receiver.url}${FAILING}/deleted`);
    const paused = await stack.newEndpoint(account, `${receiver.url}${FAILING}/paused`);
    await stack.publish([freshEvent(account)]);
    await whenDeliveries(account, allAre("retrying", 2));
    await deleteEndpoint(stack.pool, { accountId: account, id: deleted.id }, new Date());
    const pause = { patch: { active: false }, now: new Date() };
    await inTransaction(stack.pool, (tx) =>
      updateEndpoint(tx, { accountId: account, id: paused.id }, pause),
    );
    await stack.publish([freshEvent(account)]);
    const deliveries = await whenDeliveries(account, (found) => found.length === 3);
    const statusesOf = (id: string) =>
      deliveries.filter((one) => one.webhook_endpoint_id === id).map((one) => one.status);
    expect(statusesOf(deleted.id)).toEqual(["cancelled"]);
    expect(statusesOf(paused.id)).toEqual(["skipped", "skipped"]);
  });

  it("is created once, however often its event and its retry timers are read again", async () => {
    const account = await stack.newAccount();
    await stack.newEndpoint(account, `${receiver.url}/once`);
    await stack.publish(Array.from({ length: 50 }, () => freshEvent(account)));
    await whenDeliveries(account, allAre("succeeded", 50));
    await stack.newEndpoint(account, `${receiver.url}/later`);
    await sender.stop();
    const admin = stack.bus.kafka.admin();
    await admin.connect();
    const { groups } = await admin.listGroups();
    const names = groups.map(({ groupId }) => groupId);
    await admin.deleteGroups(names.filter((name) => name.startsWith(stack.bus.topicPrefix)));
    await admin.disconnect();
    sender = await stack.startSender();
    const last = freshEvent(account);
    await stack.publish([last]);
    const found = await whenDeliveries(account, (deliveries) =>
      deliveries.some((one) => one.event_id === last.id && one.status === "succeeded"),
    );
    expect(found.filter((one) => one.event_id !== last.id)).toHaveLength(50);
    expect(at("/once").length).toBeLessThanOrEqual(51);
  });
});
