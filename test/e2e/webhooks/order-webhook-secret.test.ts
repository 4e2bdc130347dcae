import { createHmac } from "node:crypto";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { call, dataOf, textOf, type Answer, type Call } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import type { Product } from "../../support/product/product.ts";
import { startProduct } from "../../support/product/shared-products.ts";
import { openPoolAt } from "../../support/stack/test-pool.ts";
import {
  startWebhookReceiver,
  type ReceivedWebhook,
  type WebhookReceiver,
} from "../../support/webhooks/webhook-receiver.ts";

const ROTATE = "/webhook_signing_secret/rotate";

let product: Product;
let receiver: WebhookReceiver;

beforeAll(async () => {
  [product, receiver] = await Promise.all([startProduct(), startWebhookReceiver()]);
});

interface Account {
  readonly id: string;
  readonly key: string;
  readonly secret: string;
}

async function newAccount(
  name: string,
  idempotencyKey: string = crypto.randomUUID(),
): Promise<{ made: Answer; account: Account }> {
  const made = await call(`${product.deskUrl}/desk/v1/accounts`, {
    method: "POST",
    key: product.deskToken,
    body: { name },
    headers: { "Idempotency-Key": idempotencyKey },
  });
  const account = {
    id: textOf(made, "id"),
    key: textOf(made, "api_key"),
    secret: textOf(made, "webhook_signing_secret"),
  };
  return { made, account };
}

function post(key: string, path: string, body: unknown): Promise<Answer> {
  return call(`${product.apiUrl}/v2${path}`, { method: "POST", key, body });
}

function rotateOnce(key: string, idempotencyKey: string): Promise<Answer> {
  const headers = { "Idempotency-Key": idempotencyKey };
  return call(`${product.apiUrl}/v2${ROTATE}`, { method: "POST", key, body: {}, headers });
}

/** The first webhook of a new order that has the path as its `webhook_url`. */
async function webhookOf(key: string, path: string): Promise<ReceivedWebhook> {
  const body = { phone_numbers: [product.newNumber()], webhook_url: receiver.url + path };
  const made = await post(key, "/porting_orders", body);
  expect(made.status).toBe(201);
  const id = String(dataOf(made)[0]?.["id"]);
  return eventually(() => {
    const found = receiver.received.find((one) => one.body.toString().includes(id));
    if (found === undefined) throw new Error("no webhook yet");
    return found;
  });
}

/** The `v1` values of a webhook's signature. */
function v1Of({ headers }: ReceivedWebhook): string[] {
  const signature = String(headers["porting-signature"]);
  return [...signature.matchAll(/v1=([0-9a-f]{64})/g)].map(([, v1 = ""]) => v1);
}

function signedBy(webhook: ReceivedWebhook, secret: string): string {
  const [, t = ""] = /^t=(\d+)/.exec(String(webhook.headers["porting-signature"])) ?? [];
  return createHmac("sha256", secret).update(`${t}.`).update(webhook.body).digest("hex");
}

describe("an order's own webhook_url", () => {
  it("is signed with the secret that came with the account's first key", async () => {
    const { made, account } = await newAccount("First");
    expect(made.status).toBe(201);
    expect(account.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const webhook = await webhookOf(account.key, "/first");
    expect(v1Of(webhook)).toEqual([signedBy(webhook, account.secret)]);
  });

  it("is signed with the secret of the endpoint that has the same url", async () => {
    const { account } = await newAccount("Same-url");
    const url = `${receiver.url}/same`;
    const endpoint = await post(account.key, "/webhook_endpoints", { url });
    const webhook = await webhookOf(account.key, "/same");
    expect(v1Of(webhook)).toEqual([signedBy(webhook, textOf(endpoint, "signing_secret"))]);
    const other = await webhookOf(account.key, "/same/not");
    expect(v1Of(other)).toEqual([signedBy(other, account.secret)]);
  });

  it("is signed with both secrets while a rotation overlaps, and with the new one after", async () => {
    const { account } = await newAccount("Rotated");
    const asked = Date.now();
    const rotated = await post(account.key, ROTATE, { overlap_seconds: 604_800 });
    expect([rotated.status, rotated.headers.get("cache-control")]).toEqual([200, "no-store"]);
    const expires = Date.parse(textOf(rotated, "previous_secret_expires_at"));
    expect(Math.abs(expires - asked - 604_800_000)).toBeLessThan(10_000);
    expect(Object.keys(rotated.body ?? {}).sort()).toEqual([
      "previous_secret_expires_at",
      "signing_secret",
    ]);
    const second = textOf(rotated, "signing_secret");
    const both = await webhookOf(account.key, "/rotated");
    expect(v1Of(both)).toEqual([signedBy(both, second), signedBy(both, account.secret)]);

    const again = await post(account.key, ROTATE, {});
    expect(again.body).toMatchObject({ previous_secret_expires_at: null });
    const last = await webhookOf(account.key, "/rotated/again");
    expect(v1Of(last)).toEqual([signedBy(last, textOf(again, "signing_secret"))]);
  });

  it("refuses overlaps of more than seven days, and parts of a second", async () => {
    const { account } = await newAccount("Refused");
    for (const overlap_seconds of [-1, 604_801, 1.5, "1", null]) {
      expect((await post(account.key, ROTATE, { overlap_seconds })).status).toBe(422);
    }
    expect((await post(account.key, ROTATE, { overlap: 1 })).status).toBe(422);
  });

  it("is signed for accounts of before too, which rotate to see their secret", async () => {
    const { account } = await newAccount("Earlier");
    const pool = openPoolAt(product.databaseUrl);
    const remove = "delete from webhooks.account_secrets where account_id = $1";
    await pool.query(remove, [account.id]);
    const unseen = await webhookOf(account.key, "/earlier");
    expect(v1Of(unseen)).toHaveLength(1);
    await pool.query(remove, [account.id]);
    // There is no earlier secret that could overlap.
    const rotated = await post(account.key, ROTATE, { overlap_seconds: 60 });
    expect(rotated.body).toMatchObject({ previous_secret_expires_at: null });
    const seen = await webhookOf(account.key, "/earlier/seen");
    expect(v1Of(seen)).toEqual([signedBy(seen, textOf(rotated, "signing_secret"))]);
  });
});

/** The types of the webhooks that arrived at a path. */
const typesAt = (path: string): unknown[] =>
  receiver.received
    .filter((one) => one.path === path)
    .map(({ headers }) => headers["porting-event-type"]);

// (docs/contract/customer-api.md, Webhook endpoints; docs/contract/customer-api.md, Porting orders)
describe("an event of an order with its own webhook_url", () => {
  const send = (key: string, path: string, options: Omit<Call, "key"> = {}): Promise<Answer> =>
    call(`${product.apiUrl}/v2${path}`, { key, ...options });

  /** The order that the webhook is about. */
  async function orderOf(key: string, { headers }: ReceivedWebhook): Promise<string> {
    const event = await send(key, `/porting/events/${String(headers["porting-event-id"])}`);
    return textOf(event, "order_id");
  }

  it("is republished to the webhook_url of that moment, and to the endpoints once it has none", async () => {
    const { account } = await newAccount("Moved");
    const { key } = account;
    const hook = await post(key, "/webhook_endpoints", { url: `${receiver.url}/moved/endpoint` });
    const webhook = await webhookOf(key, "/moved/from");
    const eventId = String(webhook.headers["porting-event-id"]);
    const orderPath = `/porting_orders/${await orderOf(key, webhook)}`;
    for (const [path, webhook_endpoint_id] of [
      ["/moved/to", null],
      ["/moved/endpoint", textOf(hook, "id")],
    ] as const) {
      const webhook_url = webhook_endpoint_id === null ? receiver.url + path : null;
      const patched = await send(key, orderPath, { method: "PATCH", body: { webhook_url } });
      expect(patched.body).toMatchObject({ webhook_url });
      const republished = await post(key, `/porting/events/${eventId}/republish`, {});
      const url = receiver.url + path;
      expect(dataOf(republished)).toMatchObject([{ url, webhook_endpoint_id }]);
      await eventually(() => expect(typesAt(path)).toEqual(["porting_order.created"]));
    }
    expect(typesAt("/moved/from")).toHaveLength(1);
  });

  it("is sent there when the draft was deleted; the order is 404, its events and deliveries stay", async () => {
    const { account } = await newAccount("Deleted");
    const { key } = account;
    await post(key, "/webhook_endpoints", { url: `${receiver.url}/deleted/endpoint` });
    const webhook = await webhookOf(key, "/deleted");
    const orderId = await orderOf(key, webhook);
    const path = `/porting_orders/${orderId}`;
    expect((await send(key, path, { method: "DELETE" })).status).toBe(204);
    expect((await send(key, path)).status).toBe(404);
    const types = ["porting_order.created", "porting_order.deleted"];
    await eventually(() => expect(typesAt("/deleted")).toEqual(types));
    expect(typesAt("/deleted/endpoint")).toEqual([]);
    for (const list of ["/porting/events", "/webhook_deliveries"]) {
      const kept = dataOf(await send(key, `${list}?porting_order_id=${orderId}`));
      expect(kept.map((one) => one["type"] ?? one["event_type"])).toEqual(types.toReversed());
    }
  });
});

describe("the answer that shows the account's secret", () => {
  it("is replayed under its Idempotency-Key, from a stored answer that cannot be read", async () => {
    const idempotencyKey = crypto.randomUUID();
    const first = await newAccount("Replayed", idempotencyKey);
    const repeated = await newAccount("Replayed", idempotencyKey);
    expect(first.made.headers.get("cache-control")).toBe("no-store");
    expect(repeated.made.headers.get("idempotency-replayed")).toBe("true");
    expect(repeated.account).toEqual(first.account);
    const { key } = first.account;
    const rotated = await rotateOnce(key, idempotencyKey);
    const replayed = await rotateOnce(key, idempotencyKey);
    expect(replayed.body).toEqual(rotated.body);
    expect(replayed.headers.get("idempotency-replayed")).toBe("true");
    const pool = openPoolAt(product.databaseUrl);
    const { rows } = await pool.query<{ text: string }>(
      `select encode(body, 'escape') as text from messaging.idempotent_replies
        where is_sealed and key = $1`,
      [idempotencyKey],
    );
    const stored = rows.map((row) => row.text).join("\n");
    expect(rows).toHaveLength(2);
    expect(stored).not.toContain(first.account.secret);
    expect(stored).not.toContain("whsec_");
  });
});
