import { createHmac } from "node:crypto";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { eventually } from "../../support/eventually.ts";
import { textOf } from "../../support/http/call.ts";
import { freshEvent } from "../../support/orders/event-factory.ts";
import {
  ENDPOINTS,
  openEndpointStack,
  type EndpointStack,
} from "../../support/webhooks/endpoint-stack.ts";
import type { ReceivedWebhook } from "../../support/webhooks/webhook-receiver.ts";

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
