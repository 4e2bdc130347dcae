import { beforeAll, describe, expect, it } from "@jest/globals";
import { queryRows } from "../../../services/platform/db/transaction.ts";
import { call, textOf, type Answer, type Call } from "../../support/http/call.ts";
import { freshEvent } from "../../support/orders/event-factory.ts";
import { eventually, whileItMoves } from "../../support/eventually.ts";
import { startHeldReceiver } from "../../support/webhooks/held-receiver.ts";
import { endLeases, killSender, spawnSender } from "../../support/webhooks/sender-process.ts";
import { startWebhookApi, type RunningApi } from "../../support/webhooks/webhook-calls.ts";
import { openWebhookStack, type WebhookStack } from "../../support/webhooks/webhook-stack.ts";
import {
  startWebhookReceiver,
  type WebhookReceiver,
} from "../../support/webhooks/webhook-receiver.ts";

const ENDPOINTS = "/v2/webhook_endpoints";
const RECOVERIES = "/v2/webhook_recoveries";
const HOUR_MS = 3_600_000;
/** An endpoint's largest window plus a batch of unwritten results. */
const MOST_UNDER_WAY = 164;

let stack: WebhookStack;
let running: RunningApi;
let receiver: WebhookReceiver;
const broken = new Set<string>();

beforeAll(async () => {
  stack = await openWebhookStack({ retrySchedule: "200ms" });
  receiver = await startWebhookReceiver(({ path }) => (broken.has(path) ? 500 : 200));
  running = await startWebhookApi(stack, { allowCidrs: ["127.0.0.0/8"], allowHttp: true });
});

const api = (key: string, path: string, request: Omit<Call, "key"> = {}): Promise<Answer> =>
  call(running.url + path, { ...request, key });

const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();

const recover = (key: string, id: string, body: Record<string, unknown>): Promise<Answer> =>
  api(key, `${ENDPOINTS}/${id}/recover`, {
    method: "POST",
    body: { since: ago(HOUR_MS), ...body },
  });

const countAt = (path: string): number =>
  receiver.received.filter((webhook) => webhook.path === path).length;

async function whenDone(key: string, recovery: Answer) {
  const path = `${RECOVERIES}/${textOf(recovery, "id")}`;
  return whileItMoves(
    async () => (await api(key, path)).body,
    (body) => body?.["status"] === "completed",
  );
}

const whenAll = (account: string, count: number, status: string): Promise<void> =>
  eventually(async () => {
    const found = await stack.deliveries(account);
    expect(found.map((one) => one.status)).toEqual(Array<string>(count).fill(status));
  });

async function publish(account: string, count: number) {
  const events = Array.from({ length: count }, (_, n) =>
    freshEvent(account, new Date(Date.now() - (count - n) * 10)),
  );
  await stack.publish(events);
  return events;
}

/** Waits until the sender has handled `count` of an account's events. */
async function fannedOut(account: string, count: number): Promise<void> {
  await eventually(async () => {
    const [row] = await queryRows<{ seen: number }>(stack.pool, {
      text: `select count(*) as seen from events.log l join messaging.inbox i
        on i.message_id = l.id and i.consumer = 'webhook-sender' where l.account_id = $1`,
      values: [account],
    });
    expect(row?.seen).toBe(count);
  });
}

describe("POST recover", () => {
  it("counts and sends failed, missing, or all deliveries", async () => {
    const sender = await stack.startSender();
    const account = await stack.newAccount();
    await publish(account, 3);
    await fannedOut(account, 3);
    const { id } = await stack.newEndpoint(account, `${receiver.url}/modes`);
    broken.add("/modes");
    await publish(account, 2);
    await whenAll(account, 2, "failed");
    broken.delete("/modes");

    for (const [mode, total] of Object.entries({ failed: 2, missing: 3, all: 5 })) {
      const counted = await recover(account, id, { mode, dry_run: true });
      expect([counted.status, counted.body]).toEqual([
        202,
        {
          id: expect.any(String),
          status: "completed",
          total,
          queued: 0,
          succeeded: 0,
          failed: 0,
        },
      ]);
    }
    expect(await stack.deliveries(account)).toHaveLength(2);

    const before = countAt("/modes");
    for (const [mode, total] of Object.entries({ failed: 2, missing: 3, all: 5 })) {
      const started = await recover(account, id, { mode });
      expect([started.status, started.body?.["total"]]).toEqual([202, total]);
      const done = await whenDone(account, started);
      expect(done).toMatchObject({ total, queued: total, succeeded: total, failed: 0 });
      const again = await recover(account, id, { mode, dry_run: true });
      expect(again.body?.["total"]).toBe(mode === "all" ? 5 : 0);
    }
    expect(countAt("/modes") - before).toBe(10);
    const made = (await stack.deliveries(account)).filter((one) => one.trigger === "recover");
    expect(made).toHaveLength(10);
    expect(made.every((one) => one.attempt_count === 1)).toBe(true);
    await sender.stop();
  });

  it("takes only events of its period that match the endpoint's filter, oldest first", async () => {
    const sender = await stack.startSender();
    const account = await stack.newAccount();
    const at = Date.now() - 2 * HOUR_MS;
    const events = Array.from({ length: 6 }, (_, n) => freshEvent(account, new Date(at + n)));
    await stack.publish(events);
    await fannedOut(account, 6);
    const { id } = await stack.newEndpoint(account, `${receiver.url}/range`, { max_per_second: 2 });
    const other = await stack.newEndpoint(account, `${receiver.url}/other`, {
      enabled_events: ["loa.signed"],
    });
    const range = { since: new Date(at + 1).toISOString(), until: new Date(at + 5).toISOString() };
    await whenDone(account, await recover(account, id, { ...range, mode: "missing" }));
    const got = receiver.received.filter(({ path }) => path === "/range");
    expect(got.map(({ headers }) => headers["webhook-id"])).toEqual(
      events.slice(1, 5).map((event) => event.id),
    );
    const none = await recover(account, other.id, { ...range, mode: "all" });
    expect(none.body?.["total"]).toBe(0);
    expect(await whenDone(account, none)).toMatchObject({ queued: 0 });
    await sender.stop();
  });

  it("recovers deliveries that were skipped while the endpoint was paused", async () => {
    const sender = await stack.startSender();
    const account = await stack.newAccount();
    const { id } = await stack.newEndpoint(account, `${receiver.url}/skipped`, { active: false });
    await publish(account, 3);
    await whenAll(account, 3, "skipped");
    const paused = await recover(account, id, { mode: "missing" });
    expect([paused.status, paused.body?.["code"]]).toEqual([409, "endpoint_paused"]);
    await api(account, `${ENDPOINTS}/${id}`, { method: "PATCH", body: { active: true } });
    await whenDone(account, await recover(account, id, { mode: "missing" }));
    expect(countAt("/skipped")).toBe(3);
    await sender.stop();
  });

  it("refuses a second one, empty ranges, and endpoints of other accounts", async () => {
    const account = await stack.newAccount();
    const { id } = await stack.newEndpoint(account, receiver.url);
    await recover(account, id, { mode: "all" });
    const second = await recover(account, id, { mode: "all" });
    expect([second.status, second.body?.["code"]]).toEqual([409, "invalid_state"]);
    for (const body of [
      { mode: "some" },
      { mode: "all", since: undefined },
      { mode: "all", since: ago(-HOUR_MS) },
      { mode: "all", until: ago(2 * HOUR_MS) },
      { mode: "all", event_types: [] },
    ]) {
      expect((await recover(account, id, body)).status).toBe(422);
    }
    const foreign = await stack.newAccount();
    expect((await recover(foreign, id, { mode: "all" })).status).toBe(404);
  });

  it("ends when it is cancelled, after its attempts under way", async () => {
    const sender = await stack.startSender();
    const account = await stack.newAccount();
    await publish(account, 50);
    await fannedOut(account, 50);
    const held = await startHeldReceiver();
    const { id } = await stack.newEndpoint(account, held.url);
    const started = await recover(account, id, { mode: "missing" });
    await eventually(() => expect(held.requests()).toBe(6));
    const path = `${RECOVERIES}/${textOf(started, "id")}`;
    const foreign = await stack.newAccount();
    expect((await api(foreign, path, { method: "DELETE" })).status).toBe(404);
    expect((await api(foreign, path)).status).toBe(404);
    expect((await api(account, path, { method: "DELETE" })).status).toBe(204);
    expect((await api(account, path, { method: "DELETE" })).status).toBe(204);
    held.open(500);
    await whenAll(account, 50, "cancelled");
    expect((await api(account, path)).body).toMatchObject({
      status: "cancelled",
      total: 50,
      succeeded: 0,
      failed: 0,
    });
    expect(held.requests()).toBe(6);
    const next = await recover(account, id, { mode: "missing" });
    await whenDone(account, next);
    const completed = `${RECOVERIES}/${textOf(next, "id")}`;
    expect((await api(account, completed, { method: "DELETE" })).status).toBe(204);
    expect((await api(account, completed)).body).toMatchObject({ status: "completed" });
    await held.stop();
    await sender.stop();
  });

  it("ends when its endpoint is paused", async () => {
    const sender = await stack.startSender();
    const account = await stack.newAccount();
    await publish(account, 5);
    await fannedOut(account, 5);
    const held = await startHeldReceiver();
    const { id } = await stack.newEndpoint(account, held.url);
    const started = await recover(account, id, { mode: "missing" });
    await eventually(() => expect(held.requests()).toBeGreaterThan(0));
    await api(account, `${ENDPOINTS}/${id}`, { method: "PATCH", body: { active: false } });
    await eventually(async () => {
      const { body } = await api(account, `${RECOVERIES}/${textOf(started, "id")}`);
      expect(body?.["status"]).toBe("cancelled");
    });
    await held.stop();
    await sender.stop();
  });
});

describe("a recovery of thousands", () => {
  it("continues after a sender was killed, repeats only its attempts under way, and lets first attempts pass", async () => {
    const killed = spawnSender(stack);
    const account = await stack.newAccount();
    await publish(account, 3_000);
    await fannedOut(account, 3_000);
    const { id } = await stack.newEndpoint(account, `${receiver.url}/many`, {
      max_per_second: 300,
    });
    const started = await recover(account, id, { mode: "missing" });
    await eventually(() => expect(countAt("/many")).toBeGreaterThan(200));
    await killSender(killed);
    expect(countAt("/many")).toBeLessThan(3_000);
    await endLeases(stack);
    const senders = [await stack.startSender(), await stack.startSender()];
    const [event] = await publish(account, 1);
    await eventually(() =>
      expect(receiver.received.some(({ headers }) => headers["webhook-id"] === event?.id)).toBe(
        true,
      ),
    );
    const behind = 3_001 - countAt("/many");
    expect(behind).toBeGreaterThan(0);
    const done = await whenDone(account, started);
    expect(done).toMatchObject({ total: 3_000, queued: 3_000, succeeded: 3_000, failed: 0 });
    expect(countAt("/many") - 3_001).toBeLessThanOrEqual(MOST_UNDER_WAY);
    const ids = receiver.received.flatMap(({ path, headers }) =>
      path === "/many" ? [headers["webhook-id"]] : [],
    );
    expect(new Set(ids).size).toBe(3_001);
    await Promise.all(senders.map((sender) => sender.stop()));
  });
});
