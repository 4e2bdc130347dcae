import { beforeAll, describe, expect, it } from "@jest/globals";
import type { Delivery } from "../../../services/domain/webhook/rules/delivery.ts";
import { call, textOf, type Answer } from "../../support/http/call.ts";
import { freshEvent } from "../../support/orders/event-factory.ts";
import { eventually } from "../../support/eventually.ts";
import { ENDPOINTS } from "../../support/webhooks/endpoint-stack.ts";
import { startHeldReceiver } from "../../support/webhooks/held-receiver.ts";
import {
  ago,
  HOUR_MS,
  openRecoveryStack,
  RECOVERIES,
  type RecoveryStack,
} from "../../support/webhooks/recovery-stack.ts";
import { startWebhookApi } from "../../support/webhooks/webhook-calls.ts";
import {
  startWebhookReceiver,
  type WebhookReceiver,
} from "../../support/webhooks/webhook-receiver.ts";

let stack: RecoveryStack;
let receiver: WebhookReceiver;
const broken = new Set<string>();

beforeAll(async () => {
  stack = await openRecoveryStack();
  receiver = await startWebhookReceiver(({ path }) => (broken.has(path) ? 500 : 200));
});

const countAt = (path: string): number =>
  receiver.received.filter((webhook) => webhook.path === path).length;

const whenAll = (account: string, count: number, status: string): Promise<void> =>
  eventually(async () => {
    const found = await stack.deliveries(account);
    expect(found.map((one) => one.status)).toEqual(Array<string>(count).fill(status));
  });

describe("POST recover", () => {
  it("refuses a second one, empty ranges, and endpoints of other accounts", async () => {
    const account = await stack.newAccount();
    const { id } = await stack.newEndpoint(account, receiver.url);
    await stack.recover(account, id, { mode: "all" });
    const second = await stack.recover(account, id, { mode: "all" });
    expect([second.status, second.body?.["code"]]).toEqual([409, "invalid_state"]);
    for (const body of [
      { mode: "some" },
      { mode: "all", since: undefined },
      { mode: "all", since: ago(-HOUR_MS) },
      { mode: "all", until: ago(2 * HOUR_MS) },
      { mode: "all", event_types: [] },
    ]) {
      expect((await stack.recover(account, id, body)).status).toBe(422);
    }
    const foreign = await stack.newAccount();
    expect((await stack.recover(foreign, id, { mode: "all" })).status).toBe(404);
  });
});

describe("POST recover, with a sender", () => {
  beforeAll(async () => {
    await stack.startSender();
  });

  it("counts and sends failed, missing, or all deliveries", async () => {
    const account = await stack.newAccount();
    await stack.publishFor(account, 3);
    await stack.fannedOut(account, 3);
    const { id } = await stack.newEndpoint(account, `${receiver.url}/modes`);
    broken.add("/modes");
    await stack.publishFor(account, 2);
    await whenAll(account, 2, "failed");
    broken.delete("/modes");

    for (const [mode, total] of Object.entries({ failed: 2, missing: 3, all: 5 })) {
      const counted = await stack.recover(account, id, { mode, dry_run: true });
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
      const started = await stack.recover(account, id, { mode });
      expect([started.status, started.body?.["total"]]).toEqual([202, total]);
      const done = await stack.whenDone(account, started);
      expect(done).toMatchObject({ total, queued: total, succeeded: total, failed: 0 });
      const again = await stack.recover(account, id, { mode, dry_run: true });
      expect(again.body?.["total"]).toBe(mode === "all" ? 5 : 0);
    }
    expect(countAt("/modes") - before).toBe(10);
    const made = (await stack.deliveries(account)).filter((one) => one.trigger === "recover");
    expect(made).toHaveLength(10);
    expect(made.every((one) => one.attempt_count === 1)).toBe(true);
  });

  it("is refused where the account's recoveries of a day would have more events than it may recover", async () => {
    const account = await stack.newAccount();
    await stack.publishFor(account, 3);
    await stack.fannedOut(account, 3);
    const { id } = await stack.newEndpoint(account, `${receiver.url}/quota`);
    const egress = { allowCidrs: ["127.0.0.0/8"], allowHttp: true };
    const limited = await startWebhookApi(stack, { ...egress, maxRecoveredEvents: 5 });
    const recover = (body: Record<string, unknown>) =>
      call(`${limited.url}${ENDPOINTS}/${id}/recover`, {
        method: "POST",
        key: account,
        body: { since: ago(HOUR_MS), mode: "all", ...body },
      });
    await stack.whenDone(account, await recover({}));
    const before = await stack.deliveries(account);
    const refused = await recover({});
    expect([refused.status, refused.body]).toMatchObject([
      409,
      {
        code: "quota_exceeded",
        detail: expect.stringContaining(
          "at most 5 events in 24 hours, and this range has 3 beside 3",
        ),
      },
    ]);
    expect(await recover({ dry_run: true })).toMatchObject({ status: 202, body: { total: 3 } });
    expect(await stack.deliveries(account)).toEqual(before);
  });

  it("takes only events of its period that match the endpoint's filter, oldest first", async () => {
    const account = await stack.newAccount();
    const at = Date.now() - 2 * HOUR_MS;
    const events = Array.from({ length: 6 }, (_, n) => freshEvent(account, new Date(at + n)));
    await stack.publish(events);
    await stack.fannedOut(account, 6);
    const { id } = await stack.newEndpoint(account, `${receiver.url}/range`, { max_per_second: 2 });
    const other = await stack.newEndpoint(account, `${receiver.url}/other`, {
      enabled_events: ["loa.signed"],
    });
    const range = { since: new Date(at + 1).toISOString(), until: new Date(at + 5).toISOString() };
    await stack.whenDone(account, await stack.recover(account, id, { ...range, mode: "missing" }));
    const got = receiver.received.filter(({ path }) => path === "/range");
    expect(got.map(({ headers }) => headers["webhook-id"])).toEqual(
      events.slice(1, 5).map((event) => event.id),
    );
    const none = await stack.recover(account, other.id, { ...range, mode: "all" });
    expect(none.body?.["total"]).toBe(0);
    expect(await stack.whenDone(account, none)).toMatchObject({ queued: 0 });
  });

  it("recovers deliveries that were skipped while the endpoint was paused", async () => {
    const account = await stack.newAccount();
    const { id } = await stack.newEndpoint(account, `${receiver.url}/skipped`, { active: false });
    await stack.publishFor(account, 3);
    await whenAll(account, 3, "skipped");
    const paused = await stack.recover(account, id, { mode: "missing" });
    expect([paused.status, paused.body?.["code"]]).toEqual([409, "endpoint_paused"]);
    await stack.api(account, `${ENDPOINTS}/${id}`, { method: "PATCH", body: { active: true } });
    await stack.whenDone(account, await stack.recover(account, id, { mode: "missing" }));
    expect(countAt("/skipped")).toBe(3);
  });

  it("ends when it is cancelled, after its attempts under way", async () => {
    const account = await stack.newAccount();
    await stack.publishFor(account, 50);
    await stack.fannedOut(account, 50);
    const held = await startHeldReceiver();
    const { id } = await stack.newEndpoint(account, held.url);
    const started = await stack.recover(account, id, { mode: "missing" });
    await eventually(() => expect(held.requests()).toBe(6));
    const path = `${RECOVERIES}/${textOf(started, "id")}`;
    const foreign = await stack.newAccount();
    expect((await stack.api(foreign, path, { method: "DELETE" })).status).toBe(404);
    expect((await stack.api(foreign, path)).status).toBe(404);
    expect((await stack.api(account, path, { method: "DELETE" })).status).toBe(204);
    expect((await stack.api(account, path, { method: "DELETE" })).status).toBe(204);
    held.open(500);
    await whenAll(account, 50, "cancelled");
    expect((await stack.api(account, path)).body).toMatchObject({
      status: "cancelled",
      total: 50,
      succeeded: 0,
      failed: 0,
    });
    expect(held.requests()).toBe(6);
    const next = await stack.recover(account, id, { mode: "missing" });
    await stack.whenDone(account, next);
    const completed = `${RECOVERIES}/${textOf(next, "id")}`;
    expect((await stack.api(account, completed, { method: "DELETE" })).status).toBe(204);
    expect((await stack.api(account, completed)).body).toMatchObject({ status: "completed" });
    await held.stop();
  });

  it("ends when its endpoint is paused", async () => {
    const account = await stack.newAccount();
    await stack.publishFor(account, 5);
    await stack.fannedOut(account, 5);
    const held = await startHeldReceiver();
    const { id } = await stack.newEndpoint(account, held.url);
    const started = await stack.recover(account, id, { mode: "missing" });
    await eventually(() => expect(held.requests()).toBeGreaterThan(0));
    await stack.api(account, `${ENDPOINTS}/${id}`, { method: "PATCH", body: { active: false } });
    await eventually(async () => {
      const { body } = await stack.api(account, `${RECOVERIES}/${textOf(started, "id")}`);
      expect(body?.["status"]).toBe("cancelled");
    });
    await held.stop();
  });

  // A pause cancels the running recovery, which also prevented every later attempt of its deliveries.
  it("leaves a delivery that a pause ended to a retry by hand, whose result that takes", async () => {
    const account = await stack.newAccount();
    const held = await startHeldReceiver();
    const post = (path: string): Promise<Answer> =>
      stack.api(account, path, { method: "POST", body: {} });
    /** The recovery's delivery once it has the status. */
    const recovered = (status: string): Promise<Delivery> =>
      eventually(async () => {
        const found = await stack.deliveries(account);
        const one = found.find(({ trigger }) => trigger === "recover");
        if (one?.status !== status) throw new Error(`It is ${one?.status ?? "not there"} yet.`);
        return one;
      });
    await stack.publishFor(account, 1);
    const { id } = await stack.newEndpoint(account, held.url, { active: false });
    await eventually(async () => {
      const counted = await stack.recover(account, id, { mode: "all", dry_run: true });
      expect(counted.body?.["total"]).toBe(1);
    });
    const setActive = (active: boolean): Promise<Answer> =>
      stack.api(account, `${ENDPOINTS}/${id}`, { method: "PATCH", body: { active } });

    await setActive(true);
    const started = await stack.recover(account, id, { mode: "all" });
    await eventually(() => expect(held.requests()).toBe(1));
    await setActive(false);
    held.open(500);
    await eventually(async () => {
      const { body } = await stack.api(account, `${RECOVERIES}/${textOf(started, "id")}`);
      expect(body?.["status"]).toBe("cancelled");
    });
    await setActive(true);
    const retry = `/v2/webhook_deliveries/${(await recovered("skipped")).id}/retry`;
    expect((await post(retry)).status).toBe(202);
    await recovered("failed");
    held.open(200);
    expect((await post(retry)).status).toBe(202);
    await recovered("succeeded");
    await held.stop();
  });
});
