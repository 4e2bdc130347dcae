import { createHmac } from "node:crypto";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { until } from "../../../infra/start/supervisor/until.ts";
import type { Delivery } from "../../../services/domain/webhook/rules/delivery.ts";
import {
  deleteEndpoint,
  updateEndpoint,
} from "../../../services/domain/webhook/store/endpoints.ts";
import { inTransaction, queryRows } from "../../../services/platform/db/transaction.ts";
import { newId, timeOfId } from "../../../services/platform/ids.ts";
import { comparableUrl } from "../../../services/platform/net/url-rules.ts";
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

interface KeptPortOut {
  readonly id: string;
  readonly account: string;
  /** The order that had brought in each of its numbers. */
  readonly orders: readonly (string | null)[];
}

async function keepPortOut({ id, account, orders }: KeptPortOut): Promise<void> {
  await queryRows(stack.pool, {
    text: `with kept as (
        insert into orders.port_outs (id, account_id, provider, port_out_ref, status, gaining_carrier, requested_foc,
          provider_status, created_at, updated_at)
        values ($1::uuid, $2::uuid, 'sandbox', $1::uuid::text, 'requested', 'Other', '2026-12-15T10:00:00Z', 'requested', now(), now())
        returning id
      )
      insert into orders.port_out_numbers (port_out_id, position, account_id, phone_number, porting_order_id, open)
      select k.id, u.n, $2::uuid, '+1212555' || u.n, u.order_id, false
      from kept k cross join unnest($3::uuid[]) with ordinality u (order_id, n)`,
    values: [id, account, orders],
  });
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
      created_at: expect.any(Date),
      completed_at: expect.any(Date),
      payload: JSON.parse(body.toString("utf8")) as unknown,
      attempt_log: [{ attempt: 1, response_code: 200, error: null, response_body: "" }],
    });
    // When it was made, by the database's clock, which is this machine's.
    expect(record?.created_at.getTime()).toBeGreaterThanOrEqual(event.created_at);
    expect(record?.created_at.getTime()).toBeLessThanOrEqual(record?.completed_at?.getTime() ?? 0);
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
  });

  // Calls and port-outs went to endpoints alone: an account that only has URLs of orders never heard of them.
  it("about a number follows the order that brought it in, about several to each of their URLs once", async () => {
    const account = await stack.newAccount();
    await stack.newEndpoint(account, `${receiver.url}/rest`);
    const [one = "", another = ""] = ["/of-one", "/of-another"].map(() => newId(new Date()));
    for (const [order, path] of [
      [one, "/of-one"],
      [another, "/of-another"],
    ]) {
      await queryRows(stack.pool, {
        text: "insert into webhooks.order_destinations (order_id, account_id, url) values ($1, $2, $3)",
        values: [order, account, `${receiver.url}${path}`],
      });
    }
    const now = new Date();
    const eventOf = (type: "call.missed" | "port_out.created", order_id: string | null) => {
      const id = newId(now);
      return {
        ...buildEvent(type, { id, account_id: account, created_at: timeOfId(id) }),
        order_id,
      };
    };
    const call = eventOf("call.missed", one);
    await stack.publish([call]);
    await whenDeliveries(account, allAre("succeeded", 1));
    const shared = [];
    for (const orders of [
      [one, one, another],
      [one, null],
    ]) {
      const event = eventOf("port_out.created", null);
      const id = newId(now);
      await keepPortOut({ id, account, orders });
      const created = event.payload.port_out_created;
      if (created === null) throw new Error("The event has no port-out.");
      const payload = {
        ...event.payload,
        port_out_created: { port_out: { ...created.port_out, id } },
      };
      shared.push({ ...event, sequence_key: id, payload });
    }
    await stack.publish(shared);
    const deliveries = await whenDeliveries(account, allAre("succeeded", 5));
    const [ofBoth, ofOne] = shared.map(({ id }) => id);
    expect(
      deliveries.map((d) => [d.event_id, d.url.slice(receiver.url.length), d.porting_order_id]),
    ).toEqual(
      expect.arrayContaining([
        [call.id, "/of-one", one],
        [ofBoth, "/of-one", one],
        [ofBoth, "/of-another", another],
        [ofOne, "/of-one", one],
        [ofOne, "/rest", null],
      ]),
    );
  });

  // It was sent although a paused endpoint "receives nothing", and signed by the account where a slash was missing.
  it("to an order's URL that equals a paused endpoint's is skipped, then signed by that endpoint", async () => {
    const account = await stack.newAccount();
    const url = `${receiver.url}/Equal`;
    const { id, secret } = await stack.newEndpoint(account, url);
    const setActive = (active: boolean) =>
      inTransaction(stack.pool, (tx) =>
        updateEndpoint(tx, { accountId: account, id }, { patch: { active }, now: new Date() }),
      );
    const orderId = newId(new Date());
    const given = url.replace("http:", "HTTP:");
    await queryRows(stack.pool, {
      text: "insert into webhooks.order_destinations (order_id, account_id, url, href) values ($1, $2, $3, $4)",
      values: [orderId, account, given, comparableUrl(given)],
    });
    const nextEvent = (n: number) => ({
      ...freshEvent(account),
      ...{ order_id: orderId, sequence_key: orderId, order_sequence: n },
    });
    await setActive(false);
    await stack.publish([nextEvent(1)]);
    await whenDeliveries(account, allAre("skipped", 1));
    await setActive(true);
    await stack.publish([nextEvent(2)]);
    const [sent] = await whenDeliveries(account, (all) =>
      all.some((one) => one.status === "succeeded"),
    );
    expect(sent).toMatchObject({ url: given, webhook_endpoint_id: null });
    const [webhook, ...more] = at("/Equal");
    expect(more).toEqual([]);
    const signature = String(webhook?.headers["porting-signature"]);
    const [, timestamp = ""] = /^t=(\d+),/.exec(signature) ?? [];
    const hmac = createHmac("sha256", secret)
      .update(`${timestamp}.`)
      .update(webhook?.body ?? "");
    expect(signature).toBe(`t=${timestamp},v1=${hmac.digest("hex")}`);
  });

  it("that waits for an order's URL is skipped when an equal endpoint is paused", async () => {
    const account = await stack.newAccount();
    const url = `${receiver.url}${FAILING}/paused`;
    const { id } = await stack.newEndpoint(account, url);
    const orderId = newId(new Date());
    await queryRows(stack.pool, {
      text: "insert into webhooks.order_destinations (order_id, account_id, url) values ($1, $2, $3)",
      values: [orderId, account, url],
    });
    await stack.publish([{ ...freshEvent(account), order_id: orderId, sequence_key: orderId }]);
    await whenDeliveries(account, allAre("retrying", 1));
    await inTransaction(stack.pool, (tx) =>
      updateEndpoint(tx, { accountId: account, id }, { patch: { active: false }, now: new Date() }),
    );
    await whenDeliveries(account, allAre("skipped", 1));
    expect(at(`${FAILING}/paused`)).toHaveLength(1);
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
