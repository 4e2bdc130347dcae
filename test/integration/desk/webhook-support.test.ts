/** @tier all */
import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { call, dataOf } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import { startOwnProduct, type OwnProduct } from "../../support/product/product.ts";
import { startWebhookReceiver } from "../../support/webhooks/webhook-receiver.ts";

let product: OwnProduct;
let receiverUrl: string;
let isWell = false;
let orderId: string;

beforeAll(async () => {
  const receiver = await startWebhookReceiver(() => (isWell ? 200 : 503));
  receiverUrl = receiver.url;
  product = await startOwnProduct({
    services: ["api", "desk", "event-log", "outbox-relay", "webhook-sender"],
    env: { WEBHOOK_RETRY_SCHEDULE: "300ms,60s" },
  });
});

const api = (method: string, path: string, body?: unknown) =>
  call(`${product.apiUrl}/v2${path}`, { method, key: product.apiKey, body });

const desk = (path: string, body?: unknown) =>
  call(`${product.deskUrl}/desk/v1${path}`, {
    method: body === undefined ? "GET" : "POST",
    key: product.deskToken,
    body,
  });

async function newEndpoint(path: string) {
  const made = await api("POST", "/webhook_endpoints", { url: `${receiverUrl}${path}` });
  return z.object({ id: z.string(), signing_secret: z.string() }).parse(made.body);
}

const endpointAt = async (id: string, query = "") =>
  dataOf(await desk(`/webhook_endpoints?limit=250${query}`)).find((one) => one["id"] === id);

describe("webhook support at the desk", () => {
  it("shows a failing endpoint: since when, the last error, what waits; never its secret", async () => {
    const { id, signing_secret } = await newEndpoint("/failing");
    const made = await api("POST", "/porting_orders", { phone_numbers: ["+12125556001"] });
    orderId = String(dataOf(made)[0]?.["id"]);
    const shown = await eventually(async () => {
      const found = await endpointAt(id, "&failing=true");
      expect(found).toMatchObject({ consecutive_failures: 2, status: "failing" });
      return found;
    });
    const [account] = dataOf(await desk("/accounts"));
    const [waiting] = dataOf(await desk(`/deliveries?webhook_endpoint_id=${id}`));
    expect(shown).toMatchObject({
      account: { id: account?.["id"], name: account?.["name"] },
      url: `${receiverUrl}/failing`,
      active: true,
      oldest_undelivered: { delivery_id: waiting?.["id"], created_at: waiting?.["created_at"] },
      last_error: { delivery_id: waiting?.["id"], code: "http_error", response_code: 503 },
    });
    const { failing_since: since, last_failure_at: last } = shown ?? {};
    expect(Date.parse(String(since))).toBeLessThan(Date.parse(String(last)));
    const answers = [await desk("/webhook_endpoints"), await desk(`/deliveries?status=retrying`)];
    expect(JSON.stringify(answers.map(({ body }) => body))).not.toContain(signing_secret);
    expect(await endpointAt(id, "&failing=false")).toBeUndefined();
    expect(await endpointAt(id, `&account_id=${String(account?.["id"])}`)).toBeDefined();
    expect(await endpointAt(id, `&account_id=${id}`)).toBeUndefined();
  });

  it("lists deliveries with the customers' filters over all accounts, and of one order", async () => {
    const own = dataOf(await api("GET", "/webhook_deliveries?status=retrying"));
    expect(own.length).toBeGreaterThan(0);
    const account = dataOf(await desk("/accounts"))[0] ?? {};
    const named = { id: account["id"], name: account["name"] };
    const withAccount = own.map((one) => ({ ...one, account: named }));
    const lists = [
      "/deliveries?status=retrying",
      `/deliveries?account_id=${String(named.id)}&status=retrying`,
      `/deliveries?porting_order_id=${orderId}&event_type=porting_order.created`,
      `/deliveries?failure_code=503&porting_order_id=${orderId}`,
      `/orders/${orderId}/deliveries`,
      `/deliveries?event_id=${String(own[0]?.["event_id"])}`,
    ];
    for (const path of lists) expect(dataOf(await desk(path))).toEqual(withAccount);
    const [first] = withAccount;
    const one = await desk(`/deliveries/${String((first as { id?: unknown }).id)}`);
    expect(one).toMatchObject({ status: 200, body: first });
    expect(dataOf(await desk(`/deliveries?account_id=${orderId}`))).toEqual([]);
    expect((await desk(`/deliveries/${orderId}`)).status).toBe(404);
    const trace = dataOf(await desk(`/orders/${orderId}/messages?limit=250`));
    const about = trace.filter((step) => step["delivery_id"] === one.body?.["id"]);
    expect(about).toMatchObject([
      { step: "delivery", state: "retrying", event_id: one.body?.["event_id"] },
      { step: "attempt", state: "failed", value: { attempt: 1, response_code: 503 } },
      { step: "attempt", state: "failed", value: { attempt: 2 } },
    ]);
  });

  it("resumes an endpoint as its customer would, and the audit log has it", async () => {
    const { id } = await newEndpoint("/paused");
    await api("PATCH", `/webhook_endpoints/${id}`, { active: false });
    expect(await endpointAt(id)).toMatchObject({ status: "paused", paused_by: "customer" });
    isWell = true;
    const resumed = await desk(`/webhook_endpoints/${id}/resume`, {});
    expect(resumed).toMatchObject({
      status: 200,
      body: { id, status: "ok", active: true, paused_by: null, failing_since: null },
    });
    expect((await api("GET", `/webhook_endpoints/${id}`)).body).toMatchObject({ active: true });
    const [entry] = dataOf(await desk("/audit?action=webhook_endpoint.resumed"));
    expect(entry).toMatchObject({
      before: { active: false, paused_by: "customer" },
      after: { webhook_endpoint_id: id, active: true },
    });
    const absent = "0198c0de-0000-7000-8000-000000000001";
    expect((await desk(`/webhook_endpoints/${absent}/resume`, {})).status).toBe(404);
    expect((await desk(`/webhook_endpoints/${absent}`)).status).toBe(404);
  });

  it("retries a delivery as its customer would, refused alike, and the audit log has it", async () => {
    isWell = true;
    const { id } = await newEndpoint("/retried");
    const endpoint = `/webhook_endpoints/${id}`;
    await api("PATCH", endpoint, { active: false });
    const made = await api("POST", "/porting_orders", { phone_numbers: ["+12125556002"] });
    const order = String(dataOf(made)[0]?.["id"]);
    const skipped = `/deliveries?webhook_endpoint_id=${id}&status=skipped`;
    const delivery = await eventually(async () => {
      const [found] = dataOf(await desk(skipped));
      expect(found).toBeDefined();
      return String(found?.["id"]);
    });
    const counted = (await desk(`${skipped}&total=true`)).body?.["total"];
    expect(counted).toEqual({ count: 1, is_more: false });
    const retry = () => desk(`/deliveries/${delivery}/retry`, {});
    expect(await retry()).toMatchObject({ status: 409, body: { code: "endpoint_paused" } });
    await api("PATCH", endpoint, { active: true });
    expect(await retry()).toMatchObject({ status: 202, body: { id: delivery } });
    await eventually(async () => {
      const { body } = await desk(`/deliveries/${delivery}`);
      expect(body).toMatchObject({ status: "succeeded", attempt_count: 1 });
    });
    expect(await retry()).toMatchObject({ status: 409, body: { code: "invalid_state" } });
    const entries = dataOf(await desk("/audit?action=webhook_delivery.retried"));
    expect(entries).toMatchObject([
      {
        porting_order_id: order,
        before: { status: "skipped" },
        after: { webhook_delivery_id: delivery, status: "retrying" },
      },
    ]);
    expect((await desk(endpoint)).body).toMatchObject({ id, status: "ok", enabled_events: [] });
  });
});

describe("providers and carriers at the desk", () => {
  it("show what the carrier files hold, and the orders that wait for a call", async () => {
    const providers = dataOf(await desk("/providers"));
    expect(providers.map((one) => one["name"])).toEqual(
      expect.arrayContaining(["manual", "sandbox", "us-lsr"]),
    );
    expect(providers.find((one) => one["name"] === "sandbox")).toMatchObject({
      codes: expect.arrayContaining([{ raw_code: "PIN_MISMATCH", code: "pin_invalid" }]),
      statuses: expect.arrayContaining([{ raw_status: "FOC", kind: "date_confirmed" }]),
      business_hours: { time_zone: "UTC" },
      open_now: true,
      contact: null,
    });
    expect(providers.find((one) => one["name"] === "manual")).toMatchObject({
      carriers: ["manual"],
    });
    const carriers = dataOf(await desk("/carriers"));
    expect(carriers.find((one) => one["name"] === "Verizon")).toMatchObject({
      provider: null,
      prefixes: expect.arrayContaining(["+1212736"]),
      open_orders: 0,
    });
  });
});
