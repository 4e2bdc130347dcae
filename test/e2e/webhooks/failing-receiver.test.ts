import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { call, dataOf, textOf, type Answer, type Call } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import { startOwnProduct, type OwnProduct } from "../../support/product/product.ts";
import {
  startWebhookReceiver,
  type ReceivedWebhook,
  type WebhookReceiver,
} from "../../support/webhooks/webhook-receiver.ts";
import { signatureHolds, signatureOf } from "../../support/webhooks/webhook-signature.ts";

const TIERS_MS = [300, 600, 900, 1_200, 6_000];
const CREATED = { enabled_events: ["porting_order.created"] };

let product: OwnProduct;
let receiver: WebhookReceiver;
let secondApiUrl: string;
let healed: ReadonlySet<string> = new Set();
const arrivedAt = new Map<ReceivedWebhook, number>();
let line = 100;

beforeAll(async () => {
  const schedule = TIERS_MS.map((ms) => `${ms}ms`).join(",");
  [product, receiver] = await Promise.all([
    startOwnProduct({
      services: ["api", "api#2", "desk", "event-log", "outbox-relay", "webhook-sender"],
      env: { WEBHOOK_RETRY_SCHEDULE: schedule, RATE_LIMIT_PER_MINUTE: "0" },
    }),
    startWebhookReceiver((webhook) => {
      arrivedAt.set(webhook, Date.now());
      return healed.has(webhook.path) ? 200 : 503;
    }),
  ]);
  secondApiUrl = product.supervisor.service("api#2").url();
});

function api(key: string, path: string, request: Omit<Call, "key"> = {}): Promise<Answer> {
  return call(`${product.apiUrl}/v2${path}`, { ...request, key });
}

function desk(method: string, path: string, body?: unknown): Promise<Answer> {
  return call(`${product.deskUrl}/desk/v1${path}`, { method, key: product.deskToken, body });
}

const at = (path: string): ReceivedWebhook[] =>
  receiver.received.filter((webhook) => webhook.path === path);

async function newOrder(key: string): Promise<string> {
  line += 1;
  const made = await api(key, "/porting_orders", {
    method: "POST",
    body: { phone_numbers: [`+12125552${line}`] },
  });
  return z.string().parse(dataOf(made)[0]?.["id"]);
}

const delivery = z.object({
  id: z.string(),
  event_id: z.string(),
  status: z.string(),
  trigger: z.string(),
  url: z.string(),
  attempt_count: z.number(),
  next_attempt_at: z.string().nullable(),
  payload: z.unknown(),
  attempt_log: z.array(
    z.object({
      attempt: z.number(),
      started_at: z.string(),
      duration_ms: z.number(),
      response_code: z.number().nullable(),
      error: z.object({ code: z.string(), message: z.string() }).nullable(),
    }),
  ),
});

/** The order's newest delivery once it is in a status. */
async function deliveryIn(key: string, orderId: string, status: string) {
  return eventually(async () => {
    const listed = await api(key, `/webhook_deliveries?porting_order_id=${orderId}&limit=1`);
    const found = delivery.parse(dataOf(listed)[0]);
    expect(found.status).toBe(status);
    return found;
  });
}

describe("a receiver that fails through every tier", () => {
  it("gets the webhook by retry and by republish; every attempt is logged and has its own signature", async () => {
    const key = product.apiKey;
    const made = await api(key, "/webhook_endpoints", {
      method: "POST",
      body: {
        url: `${receiver.url}/hook`,
        ...CREATED,
      },
    });
    const secret = textOf(made, "signing_secret");
    const orderId = await newOrder(key);
    const failed = await deliveryIn(key, orderId, "failed");
    expect(failed).toMatchObject({ attempt_count: 6, next_attempt_at: null, trigger: "event" });
    expect(failed.attempt_log.map((entry) => entry.attempt)).toEqual([1, 2, 3, 4, 5, 6]);
    const starts = failed.attempt_log.map((entry) => Date.parse(entry.started_at));
    for (const [n, tierMs] of TIERS_MS.entries()) {
      expect((starts[n + 1] ?? 0) - (starts[n] ?? 0)).toBeGreaterThanOrEqual(tierMs);
    }

    const retryPath = `/webhook_deliveries/${failed.id}/retry`;
    const asked = Date.now();
    const retried = await api(key, retryPath, { method: "POST" });
    expect([retried.status, retried.body?.["status"]]).toEqual([202, "retrying"]);
    const again = await deliveryIn(key, orderId, "failed");
    expect(again.attempt_count).toBe(7);
    expect(Date.parse(again.attempt_log.at(-1)?.started_at ?? "") - asked).toBeLessThan(2_000);

    healed = new Set(["/hook", "/second"]);
    expect((await api(key, retryPath, { method: "POST" })).status).toBe(202);
    const succeeded = await deliveryIn(key, orderId, "succeeded");

    await api(key, "/webhook_endpoints", {
      method: "POST",
      body: { url: `${receiver.url}/second`, ...CREATED },
    });
    const republished = await api(key, `/porting/events/${failed.event_id}/republish`, {
      method: "POST",
    });
    expect([republished.status, dataOf(republished)]).toMatchObject([202, [{}, {}]]);
    await eventually(() => expect(at("/second")).toHaveLength(1));
    const ofEvent = await eventually(async () => {
      const path = `/porting/events/${failed.event_id}/deliveries`;
      const all = z.array(delivery).parse(dataOf(await api(key, path)));
      expect(all.map((one) => one.status)).toEqual(["succeeded", "succeeded", "succeeded"]);
      return all;
    });
    expect(ofEvent.map((one) => one.trigger).sort()).toEqual(["event", "republish", "republish"]);
    for (const one of ofEvent) expect(one.payload).toEqual(failed.payload);

    const codes = succeeded.attempt_log.map((entry) => entry.response_code);
    expect(codes).toEqual([503, 503, 503, 503, 503, 503, 503, 200]);
    expect(succeeded.attempt_log.map((entry) => entry.error?.code ?? null)).toEqual([
      ...Array<string>(7).fill("http_error"),
      null,
    ]);
    const got = at("/hook");
    expect(got).toHaveLength(9);
    expect(new Set(got.map(({ body }) => body.toString("hex"))).size).toBe(1);
    expect(JSON.parse(got[0]?.body.toString() ?? "")).toEqual(failed.payload);
    expect(new Set(got.map((webhook) => signatureOf(webhook).v1)).size).toBeGreaterThan(3);
    for (const webhook of got) {
      expect(signatureHolds(secret, webhook)).toBe(true);
      expect(webhook.headers["porting-event-id"]).toBe(failed.event_id);
      const ageMs = (arrivedAt.get(webhook) ?? 0) - signatureOf(webhook).t * 1_000;
      expect(ageMs).toBeGreaterThanOrEqual(0);
      expect(ageMs).toBeLessThan(3_000);
    }
  });
});

const ID = "01a1fc57-b585-7195-84b0-011dca65599f";

/** One request of every kind that an API key can make. */
const REQUESTS: readonly (readonly [string, string, unknown?])[] = [
  ["GET", "/api_keys"],
  ["POST", "/api_keys", {}],
  ["DELETE", `/api_keys/${ID}`],
  ["GET", "/porting_orders"],
  ["POST", "/porting_orders", { phone_numbers: ["+12125559999"] }],
  ["GET", `/porting_orders/${ID}`],
  ["PATCH", `/porting_orders/${ID}`, { customer_reference: "x" }],
  ["DELETE", `/porting_orders/${ID}`],
  ["GET", `/porting_orders/${ID}/readiness`],
  ["POST", `/porting_orders/${ID}/submit`, {}],
  ["POST", `/porting_orders/${ID}/cancel`, {}],
  ["PATCH", `/porting_orders/${ID}/requirements/entity_name`, { field_value: "Acme" }],
  ["DELETE", `/porting_orders/${ID}/requirements/csr`],
  ["GET", `/porting_orders/${ID}/loa`],
  ["POST", `/porting_orders/${ID}/loa/sign`, { signer_name: "Ada", consent: true }],
  ["GET", `/porting_orders/${ID}/comments`],
  ["POST", `/porting_orders/${ID}/comments`, { body: "hello" }],
  ["GET", `/porting_orders/${ID}/timeline`],
  ["GET", "/porting_requirements?country_code=US&number_type=local"],
  ["GET", "/porting_exceptions"],
  ["GET", `/documents/${ID}`],
  ["GET", "/numbers"],
  ["GET", "/numbers/%2B12125550143"],
  ["PATCH", "/numbers/%2B12125550143", { port_out_lock: true }],
  ["GET", "/port_outs"],
  ["GET", `/port_outs/${ID}`],
  ["POST", `/port_outs/${ID}/approve`, {}],
  ["POST", `/port_outs/${ID}/reject`, { code: "port_locked" }],
  ["GET", "/porting/events"],
  ["GET", `/porting/events/${ID}`],
  ["GET", `/porting/events/${ID}/deliveries`],
  ["POST", `/porting/events/${ID}/republish`],
  ["GET", "/porting/events/stream"],
  ["GET", "/webhook_endpoints"],
  ["POST", "/webhook_endpoints", { url: "https://8.8.8.8/" }],
  ["GET", `/webhook_endpoints/${ID}`],
  ["PATCH", `/webhook_endpoints/${ID}`, { active: false }],
  ["DELETE", `/webhook_endpoints/${ID}`],
  ["POST", "/webhook_signing_secret/rotate", {}],
  ["GET", "/webhook_deliveries"],
  ["GET", "/webhook_deliveries/meta/event_types"],
  ["GET", `/webhook_deliveries/${ID}`],
  ["POST", `/webhook_deliveries/${ID}/retry`],
];

describe("a suspended account", () => {
  it("is refused everywhere at once; waiting deliveries are sent after its reinstatement", async () => {
    const account = await desk("POST", "/accounts", { name: "Suspended" });
    const key = textOf(account, "api_key");
    const path = `/accounts/${textOf(account, "id")}`;
    await api(key, "/webhook_endpoints", {
      method: "POST",
      body: { url: `${receiver.url}/waits`, ...CREATED },
    });
    const orderId = await newOrder(key);
    // The last tier is the longest and leaves time to suspend the account.
    const waiting = await eventually(async () => {
      const found = await deliveryIn(key, orderId, "retrying");
      // An attempt under way is counted but has no next attempt yet.
      expect(found.attempt_log).toHaveLength(5);
      return found;
    });
    expect((await desk("POST", `${path}/suspend`, { reason: "unpaid" })).status).toBe(200);

    const refused = await Promise.all(
      [product.apiUrl, secondApiUrl].flatMap((url) =>
        REQUESTS.map(async ([method, route, body]) => {
          const answer = await call(`${url}/v2${route}`, { method, key, body });
          return [method, route, answer.status, answer.body?.["code"]];
        }),
      ),
    );
    expect(refused).toEqual(
      [1, 2].flatMap(() =>
        REQUESTS.map(([method, route]) => [method, route, 403, "account_suspended"]),
      ),
    );
    healed = new Set([...healed, "/waits"]);
    const dueAt = Date.parse(waiting.next_attempt_at ?? "");
    // The sender looks for overdue deliveries every second; another account's webhook shows that it is running.
    await eventually(() => expect(Date.now()).toBeGreaterThan(dueAt + 2_000));
    const before = at("/hook").length;
    await newOrder(product.apiKey);
    await eventually(() => expect(at("/hook")).toHaveLength(before + 1));
    expect(at("/waits")).toHaveLength(5);

    expect((await desk("POST", `${path}/reinstate`)).status).toBe(200);
    const delivered = await deliveryIn(key, orderId, "succeeded");
    expect(at("/waits")).toHaveLength(6);
    expect(delivered.attempt_log.map((entry) => entry.attempt)).toEqual([1, 2, 3, 4, 5, 6]);
  });
});
