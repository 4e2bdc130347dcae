import { createHmac } from "node:crypto";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { pauseFailingEndpoints } from "../../../services/webhook-sender/store/pause-failing-endpoints.ts";
import { eventually } from "../../support/eventually.ts";
import { textOf } from "../../support/http/call.ts";
import { freshEvent } from "../../support/orders/event-factory.ts";
import {
  ENDPOINTS,
  openEndpointStack,
  type EndpointStack,
} from "../../support/webhooks/endpoint-stack.ts";
import { startHeldReceiver } from "../../support/webhooks/held-receiver.ts";
import type { ReceivedWebhook } from "../../support/webhooks/webhook-receiver.ts";

const UNKNOWN_ID = "01a19b7c-a687-7195-84b0-00000000ffff";

let stack: EndpointStack;

beforeAll(async () => {
  stack = await openEndpointStack();
});

/** The `v1` signature of a secret for these bytes and the header's time. */
function v1Of(secret: string, { headers, body }: ReceivedWebhook): string {
  const [, t = ""] = /^t=(\d+),/.exec(String(headers["porting-signature"])) ?? [];
  return createHmac("sha256", secret).update(`${t}.`).update(body).digest("hex");
}

function standardOf(secret: string, { headers, body }: ReceivedWebhook): string {
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const prefix = `${String(headers["webhook-id"])}.${String(headers["webhook-timestamp"])}.`;
  return `v1,${createHmac("sha256", key).update(prefix).update(body).digest("base64")}`;
}

describe("POST test", () => {
  it("delivers a sample of the requested type, with an event id that is not in the feed", async () => {
    const account = await stack.newAccount();
    const { id } = await stack.newEndpoint(account, `${stack.receiver.url}/tested`, {
      enabled_events: ["porting_order.foc_date_changed", "loa.signed"],
    });
    const path = `${ENDPOINTS}/${id}/test`;
    const tested = await stack.api(account, path, {
      method: "POST",
      body: { event_type: "port_out.created" },
    });
    expect(tested.status).toBe(202);
    expect(tested.body).toMatchObject({
      trigger: "test",
      status: "pending",
      event_type: "port_out.created",
      webhook_endpoint_id: id,
      porting_order_id: null,
      payload: { id: tested.body?.["event_id"], type: "port_out.created" },
    });
    const webhook = await eventually(() => stack.lastOf("/tested", 1));
    expect(webhook.headers["porting-event-id"]).toBe(tested.body?.["event_id"]);
    expect(JSON.parse(webhook.body.toString())).toEqual(tested.body?.["payload"]);
    const event = `/v2/porting/events/${textOf(tested, "event_id")}`;
    expect((await stack.api(account, `${event}/deliveries`)).status).toBe(404);
    expect((await stack.api(account, `${event}/republish`, { method: "POST" })).status).toBe(404);
    const usual = await stack.api(account, path, { method: "POST" });
    expect(usual.body).toMatchObject({ event_type: "loa.signed" });
    await stack.whenStatuses(account, ["succeeded", "succeeded"]);
    const record = await stack.api(account, `${ENDPOINTS}/${id}`);
    expect(record.body).toMatchObject({ last_success_at: expect.any(String) });
  });

  it("refuses types that are never sent, a paused endpoint and one of another account", async () => {
    const account = await stack.newAccount();
    const { id } = await stack.newEndpoint(account, stack.receiver.url, { active: false });
    const path = `${ENDPOINTS}/${id}/test`;
    for (const [event_type, detail] of [
      ["porting_order.foc_date_changed", "Events of this type are never sent as webhooks."],
      [
        "ping",
        expect.stringMatching(/^Unknown event type\. The event types are porting_order.created, /),
      ],
    ]) {
      const refused = await stack.api(account, path, { method: "POST", body: { event_type } });
      expect(refused.status).toBe(422);
      expect(refused.body?.["errors"]).toMatchObject([{ pointer: "#/event_type", detail }]);
    }
    const paused = await stack.api(account, path, { method: "POST" });
    expect([paused.status, paused.body?.["code"]]).toEqual([409, "endpoint_paused"]);
    expect((await stack.api(await stack.newAccount(), path, { method: "POST" })).status).toBe(404);
    expect(
      (await stack.api(account, `${ENDPOINTS}/${UNKNOWN_ID}/test`, { method: "POST" })).status,
    ).toBe(404);
    expect(await stack.deliveries(account)).toEqual([]);
  });
});

describe("an attempt under way", () => {
  it.each([
    ["paused", 500, "skipped"],
    ["paused", 200, "succeeded"],
    ["deleted", 500, "cancelled"],
    ["deleted", 200, "succeeded"],
  ] as const)(
    "at an endpoint that is %s is finished and logged: %i → %s",
    async (change, status, end) => {
      const account = await stack.newAccount();
      const held = await startHeldReceiver();
      const { id } = await stack.newEndpoint(account, held.url);
      await stack.publish([freshEvent(account)]);
      await eventually(() => expect(held.requests()).toBe(1));
      const path = `${ENDPOINTS}/${id}`;
      if (change === "paused")
        await stack.api(account, path, { method: "PATCH", body: { active: false } });
      else await stack.api(account, path, { method: "DELETE" });
      expect(await stack.statusesOf(account)).toEqual(["pending"]);
      held.open(status);
      await stack.whenStatuses(account, [end]);
      const [delivery] = await stack.deliveries(account);
      expect(delivery?.attempt_log.map((entry) => entry.response_code)).toEqual([status]);
      expect(delivery).toMatchObject({ next_attempt_at: null, completed_at: expect.any(Date) });
      await held.stop();
    },
  );
});

describe("an endpoint that fails for a long time", () => {
  const lenient = { afterMs: 0, failedDeliveries: 3, spanMs: 0 };

  async function failing(path: string) {
    const account = await stack.newAccount();
    const { id } = await stack.newEndpoint(account, `${stack.receiver.url}${path}`);
    await stack.publish([freshEvent(account), freshEvent(account), freshEvent(account)]);
    await stack.whenStatuses(account, ["failed", "failed", "failed"]);
    const pause = async (rule = lenient): Promise<boolean> =>
      (await pauseFailingEndpoints(stack.pool, rule, new Date())).some((one) => one.id === id);
    const record = async () => (await stack.api(account, `${ENDPOINTS}/${id}`)).body;
    return { account, id, pause, record };
  }

  it("is paused once the whole rule holds, and its waiting deliveries are skipped", async () => {
    const { account, id, pause, record } = await failing("/fails/paused");
    expect(await pause({ ...lenient, failedDeliveries: 4 })).toBe(false);
    expect(await pause({ ...lenient, spanMs: 3_600_000 })).toBe(false);
    expect(await pause({ ...lenient, afterMs: 3_600_000 })).toBe(false);
    expect(await record()).toMatchObject({ active: true, consecutive_failures: 6 });
    await stack.publish([freshEvent(account)]);
    await stack.whenStatuses(account, ["failed", "failed", "failed", "retrying"]);
    expect(await pause()).toBe(true);
    expect(await pause()).toBe(false);
    expect(await stack.statusesOf(account)).toEqual(["failed", "failed", "failed", "skipped"]);
    expect(await record()).toMatchObject({
      active: false,
      paused_by: "system",
      paused_reason: expect.stringMatching(/^No delivery succeeded since .*Z; 3 failed\.$/),
      last_success_at: null,
      last_failure_at: expect.any(String),
    });
    await stack.api(account, `${ENDPOINTS}/${id}`, { method: "PATCH", body: { active: true } });
    expect(await record()).toMatchObject({
      active: true,
      paused_by: null,
      paused_reason: null,
      consecutive_failures: 0,
    });
    expect(await pause()).toBe(false);
  });

  it("counts a delivery once, however often it is retried by hand", async () => {
    const { account, id, pause, record } = await failing("/fails/by-hand");
    const [delivery] = await stack.deliveries(account);
    const path = `/v2/webhook_deliveries/${delivery?.id ?? ""}/retry`;
    for (const attempts of [3, 4]) {
      expect((await stack.api(account, path, { method: "POST" })).status).toBe(202);
      await eventually(async () => {
        const [again] = await stack.deliveries(account);
        expect(again).toMatchObject({ status: "failed", attempt_count: attempts });
      });
    }
    expect(await record()).toMatchObject({ active: true, consecutive_failures: 8 });
    expect(await pause({ ...lenient, failedDeliveries: 4 })).toBe(false);
    expect(await pause()).toBe(true);

    // Once the endpoint was resumed, nothing of before counts: this failure is its first.
    await stack.api(account, `${ENDPOINTS}/${id}`, { method: "PATCH", body: { active: true } });
    await stack.api(account, path, { method: "POST" });
    await eventually(async () => {
      const [again] = await stack.deliveries(account);
      expect(again).toMatchObject({ status: "failed", attempt_count: 5 });
    });
    expect(await pause({ ...lenient, failedDeliveries: 2 })).toBe(false);
    expect(await pause({ ...lenient, failedDeliveries: 1 })).toBe(true);
  });

  it("is not paused after a success", async () => {
    const { account, pause, record } = await failing("/fails/healed");
    stack.heal("/fails/healed");
    await stack.publish([freshEvent(account)]);
    await stack.whenStatuses(account, ["failed", "failed", "failed", "succeeded"]);
    expect(await record()).toMatchObject({ consecutive_failures: 0 });
    expect(await pause({ ...lenient, failedDeliveries: 1 })).toBe(false);
  });
});

describe("POST rotate_secret", () => {
  it("signs with both secrets while they overlap, the new one first, and with one after", async () => {
    const account = await stack.newAccount();
    const { id, secret } = await stack.newEndpoint(account, `${stack.receiver.url}/rotated`);
    const path = `${ENDPOINTS}/${id}/rotate_secret`;
    const asked = Date.now();
    const rotated = await stack.api(account, path, {
      method: "POST",
      body: { overlap_seconds: 3_600 },
    });
    expect(rotated.status).toBe(200);
    expect(rotated.headers.get("cache-control")).toBe("no-store");
    const current = textOf(rotated, "signing_secret");
    const expires = Date.parse(textOf(rotated, "previous_secret_expires_at"));
    expect(Math.abs(expires - asked - 3_600_000)).toBeLessThan(10_000);
    expect(rotated.body).toEqual({
      id,
      signing_secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      previous_secret_expires_at: new Date(expires).toISOString(),
    });
    await stack.publish([freshEvent(account)]);
    const first = await eventually(() => stack.lastOf("/rotated", 1));
    const t = String(first.headers["webhook-timestamp"]);
    expect(first.headers["porting-signature"]).toBe(
      `t=${t},v1=${v1Of(current, first)},v1=${v1Of(secret, first)}`,
    );
    expect(first.headers["webhook-signature"]).toBe(
      `${standardOf(current, first)} ${standardOf(secret, first)}`,
    );

    const again = await stack.api(account, path, { method: "POST" });
    expect(again.body).toMatchObject({ previous_secret_expires_at: null });
    await stack.publish([freshEvent(account)]);
    const second = await eventually(() => stack.lastOf("/rotated", 2));
    const last = textOf(again, "signing_secret");
    const stamp = String(second.headers["webhook-timestamp"]);
    expect(second.headers["porting-signature"]).toBe(`t=${stamp},v1=${v1Of(last, second)}`);
  });

  it("ends an overlap when its time is up", async () => {
    const account = await stack.newAccount();
    const { id } = await stack.newEndpoint(account, `${stack.receiver.url}/expired`);
    const path = `${ENDPOINTS}/${id}/rotate_secret`;
    const rotated = await stack.api(account, path, {
      method: "POST",
      body: { overlap_seconds: 1 },
    });
    const end = Date.parse(textOf(rotated, "previous_secret_expires_at"));
    await eventually(() => expect(Date.now()).toBeGreaterThan(end));
    await stack.publish([freshEvent(account)]);
    const webhook = await eventually(() => stack.lastOf("/expired", 1));
    expect(String(webhook.headers["porting-signature"]).match(/v1=/g)).toHaveLength(1);
  });

  it("refuses overlaps of more than seven days and endpoints of other accounts", async () => {
    const account = await stack.newAccount();
    const { id } = await stack.newEndpoint(account, stack.receiver.url);
    const path = `${ENDPOINTS}/${id}/rotate_secret`;
    for (const overlap_seconds of [-1, 604_801, 1.5, "1"]) {
      expect(
        (await stack.api(account, path, { method: "POST", body: { overlap_seconds } })).status,
      ).toBe(422);
    }
    expect((await stack.api(await stack.newAccount(), path, { method: "POST" })).status).toBe(404);
    await stack.api(account, `${ENDPOINTS}/${id}`, { method: "DELETE" });
    expect((await stack.api(account, path, { method: "POST" })).status).toBe(404);
  });

  it("applies to waiting retries, like a new URL", async () => {
    const account = await stack.newAccount();
    const { id } = await stack.newEndpoint(account, `${stack.receiver.url}/fails/moved`);
    await stack.publish([freshEvent(account)]);
    await stack.whenStatuses(account, ["retrying"]);
    const path = `${ENDPOINTS}/${id}`;
    const secret = textOf(
      await stack.api(account, `${path}/rotate_secret`, { method: "POST" }),
      "signing_secret",
    );
    await stack.api(account, path, {
      method: "PATCH",
      body: { url: `${stack.receiver.url}/moved` },
    });
    await stack.whenStatuses(account, ["succeeded"]);
    const [webhook] = stack.at("/moved");
    expect(webhook?.headers["porting-signature"]).toContain(webhook && v1Of(secret, webhook));
    expect(stack.at("/fails/moved")).toHaveLength(1);
    expect(webhook?.body).toEqual(stack.at("/fails/moved")[0]?.body);
    const [delivery] = await stack.deliveries(account);
    expect(delivery).toMatchObject({ url: `${stack.receiver.url}/moved`, attempt_count: 2 });
  });
});
