import { beforeAll, describe, expect, it } from "@jest/globals";
import { until } from "../../../infra/start/supervisor/until.ts";
import { queryRows } from "../../../services/platform/db/transaction.ts";
import { call, dataOf, textOf, type Answer, type Call } from "../../support/http/call.ts";
import { freshEvent } from "../../support/orders/event-factory.ts";
import { startWebhookApi } from "../../support/webhooks/webhook-calls.ts";
import { openWebhookStack, type WebhookStack } from "../../support/webhooks/webhook-stack.ts";
import {
  startWebhookReceiver,
  type WebhookReceiver,
} from "../../support/webhooks/webhook-receiver.ts";

const ENDPOINTS = "/v2/webhook_endpoints";
const DELIVERIES = "/v2/webhook_deliveries";
const UNUSED_URL = "https://8.8.8.8/hooks";

let stack: WebhookStack;
let receiver: WebhookReceiver;
let status = 200;
let api: (accountId: string, path: string, options?: Call) => Promise<Answer>;

async function startApi(allowCidrs: readonly string[], allowHttp: boolean): Promise<string> {
  return (await startWebhookApi(stack, { allowCidrs, allowHttp })).url;
}

beforeAll(async () => {
  stack = await openWebhookStack({ retrySchedule: "1h" });
  receiver = await startWebhookReceiver(() => status);
  const open = await startApi(["127.0.0.0/8"], true);
  api = (key, path, options = {}) => call(open + path, { key, ...options });
  await stack.startSender();
});

const post = (accountId: string, path: string, body: unknown = {}): Promise<Answer> =>
  api(accountId, path, { method: "POST", body });

async function deliveryOf(accountId: string, eventId: string, wanted: string) {
  let found: Record<string, unknown> = {};
  const look = async (): Promise<boolean> => {
    const answer = await api(accountId, `${DELIVERIES}?event_id=${eventId}`);
    found = dataOf(answer)[0] ?? {};
    return found["status"] === wanted;
  };
  await until(look, { timeoutMs: 30_000, what: `a ${wanted} delivery` });
  return found;
}

describe("/v2/webhook_endpoints", () => {
  it("creates an endpoint, shows its secret once and its record always", async () => {
    const account = await stack.newAccount();
    const made = await post(account, ENDPOINTS, {
      url: UNUSED_URL,
      enabled_events: ["loa.signed", "porting_order.foc_date_changed", "loa.signed"],
    });
    expect(made.status).toBe(201);
    const id = textOf(made, "id");
    expect(made.headers.get("location")).toBe(`${ENDPOINTS}/${id}`);
    expect(made.headers.get("cache-control")).toBe("no-store");
    const { signing_secret: secret, ...record } = made.body ?? {};
    expect(secret).toMatch(/^whsec_/);
    expect(record).toEqual({
      id,
      url: UNUSED_URL,
      description: null,
      enabled_events: ["loa.signed", "porting_order.foc_date_changed"],
      active: true,
      max_per_second: null,
      paused_by: null,
      paused_reason: null,
      created_at: expect.stringMatching(/Z$/),
      updated_at: record["created_at"],
      last_success_at: null,
      last_failure_at: null,
      consecutive_failures: 0,
    });
    expect((await api(account, `${ENDPOINTS}/${id}`)).body).toEqual(record);
    expect(dataOf(await api(account, ENDPOINTS))).toEqual([record]);
    const other = await stack.newAccount();
    expect((await api(other, `${ENDPOINTS}/${id}`)).status).toBe(404);
    expect((await api(other, ENDPOINTS)).body).toEqual({ data: [], has_more: false });
  });

  it("reports every unknown event type", async () => {
    const account = await stack.newAccount();
    const answer = await post(account, ENDPOINTS, {
      url: UNUSED_URL,
      enabled_events: ["loa.signed", "x", "loa.*"],
    });
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({
      code: "validation_failed",
      errors: [{ pointer: "#/enabled_events/1" }, { pointer: "#/enabled_events/2" }],
    });
  });

  it("refuses URLs that are not HTTPS, not public or not resolvable", async () => {
    const strict = await startApi([], false);
    const account = await stack.newAccount();
    for (const url of [
      "http://8.8.8.8/",
      "https://localhost/",
      "https://10.0.0.1/",
      "https://user@8.8.8.8/",
      "https://no-such-host.invalid/",
    ]) {
      const body = { url };
      const answer = await call(strict + ENDPOINTS, { key: account, method: "POST", body });
      expect([url, answer.status, answer.body?.["code"]]).toEqual([
        url,
        422,
        "webhook_url_blocked",
      ]);
    }
    const { id } = await stack.newEndpoint(account, UNUSED_URL);
    const body = { url: "https://127.0.0.1/" };
    const patch = { key: account, method: "PATCH", body };
    expect((await call(`${strict}${ENDPOINTS}/${id}`, patch)).status).toBe(422);
  });

  it("limits an account to 20, also when they are created concurrently", async () => {
    const account = await stack.newAccount();
    const answers = await Promise.all(
      Array.from({ length: 24 }, () => post(account, ENDPOINTS, { url: UNUSED_URL })),
    );
    const statuses = answers.map((answer) => answer.status).sort();
    expect(statuses).toEqual([...Array<number>(20).fill(201), ...Array<number>(4).fill(422)]);
    const [first] = dataOf(await api(account, ENDPOINTS));
    await api(account, `${ENDPOINTS}/${String(first?.["id"])}`, { method: "DELETE" });
    expect((await post(account, ENDPOINTS, { url: UNUSED_URL })).status).toBe(201);
  });

  it("changes and deletes an endpoint", async () => {
    const account = await stack.newAccount();
    const { id } = await stack.newEndpoint(account, UNUSED_URL);
    const path = `${ENDPOINTS}/${id}`;
    const body = { active: false, description: "off" };
    expect((await api(account, path, { method: "PATCH", body })).body).toMatchObject({
      active: false,
      paused_by: "customer",
      description: "off",
      url: UNUSED_URL,
    });
    expect((await api(account, path, { method: "PATCH", body: { actve: true } })).status).toBe(422);
    expect((await api(account, path, { method: "DELETE" })).status).toBe(204);
    expect((await api(account, path, { method: "DELETE" })).status).toBe(404);
    expect((await api(account, path)).status).toBe(404);
  });
});

describe("/v2/webhook_deliveries", () => {
  it("lists the event types", async () => {
    const answer = await api(await stack.newAccount(), `${DELIVERIES}/meta/event_types`);
    expect(answer.body).toMatchObject({ has_more: false });
    expect(answer.body?.["data"]).toHaveLength(16);
  });

  it("filters, pages in both directions and refuses unknown parameters", async () => {
    status = 200;
    const account = await stack.newAccount();
    const { id } = await stack.newEndpoint(account, `${receiver.url}/list`);
    const events = Array.from({ length: 5 }, (_, n) =>
      freshEvent(account, new Date(Date.now() - 5_000 + n * 1_000)),
    );
    for (const together of [events.slice(0, 3), events.slice(3)]) {
      await stack.publish(together);
      for (const event of together) await deliveryOf(account, event.id, "succeeded");
    }
    const eventsOf = (answer: Answer) => dataOf(answer).map((one) => one["event_id"]);
    const ids = events.map((event) => event.id);
    const newest = await api(account, `${DELIVERIES}?limit=2`);
    expect(eventsOf(newest)).toEqual([ids[4], ids[3]]);
    const second = String(dataOf(newest)[1]?.["id"]);
    const next = await api(account, `${DELIVERIES}?limit=2&starting_after=${second}`);
    expect(eventsOf(next)).toEqual([ids[2], ids[1]]);
    const third = String(dataOf(next)[0]?.["id"]);
    expect(eventsOf(await api(account, `${DELIVERIES}?limit=2&ending_before=${third}`))).toEqual([
      ids[4],
      ids[3],
    ]);
    const count = async (query: string) =>
      dataOf(await api(account, `${DELIVERIES}?${query}`)).length;
    expect(await count("status=failed&status=succeeded")).toBe(5);
    expect(await count("status=failed")).toBe(0);
    expect(await count("event_type=loa.signed&event_type=porting_order.created")).toBe(5);
    expect(await count(`webhook_endpoint_id=${id}`)).toBe(5);
    expect(await count(`porting_order_id=${events[0]?.order_id ?? ""}`)).toBe(5);
    const from = String(dataOf(newest)[1]?.["created_at"]);
    expect(await count(`created_after=${from}`)).toBe(2);
    expect(await count(`created_before=${from}`)).toBe(3);
    for (const query of ["status=done", "event_type=x", "endpoint=1", `starting_after=${id}`]) {
      expect((await api(account, `${DELIVERIES}?${query}`)).status).toBe(400);
    }
    expect((await api(await stack.newAccount(), `${DELIVERIES}/${second}`)).status).toBe(404);
  });

  // (docs/contract/customer-api.md, Webhook deliveries)
  it("has exactly the contract's fields, in lists too", async () => {
    status = 503;
    const account = await stack.newAccount();
    const { id } = await stack.newEndpoint(account, `${receiver.url}/record`);
    const event = freshEvent(account);
    await stack.publish([event]);
    const listed = await deliveryOf(account, event.id, "retrying");
    expect(listed).toEqual({
      id: expect.any(String),
      event_id: event.id,
      event_type: "porting_order.created",
      webhook_endpoint_id: id,
      url: `${receiver.url}/record`,
      porting_order_id: event.order_id,
      status: "retrying",
      trigger: "event",
      attempt_count: 1,
      attempting: false,
      next_attempt_at: expect.stringMatching(/Z$/),
      created_at: expect.stringMatching(/Z$/),
      completed_at: null,
      attempt_log: [
        {
          attempt: 1,
          started_at: expect.stringMatching(/Z$/),
          duration_ms: expect.any(Number),
          response_code: 503,
          error: { code: "http_error", message: expect.any(String) },
          response_body: "",
        },
      ],
      payload: expect.objectContaining({ id: event.id, type: "porting_order.created" }),
    });
    const read = await api(account, `${DELIVERIES}/${String(listed["id"])}`);
    expect(read.body).toEqual(listed);
  });

  it("retries failed deliveries at once, and no others", async () => {
    status = 500;
    const account = await stack.newAccount();
    const { id } = await stack.newEndpoint(account, `${receiver.url}/retry`);
    const event = freshEvent(account);
    await stack.publish([event]);
    const waiting = await deliveryOf(account, event.id, "retrying");
    const path = `${DELIVERIES}/${String(waiting["id"])}/retry`;
    expect((await post(account, path)).body?.["code"]).toBe("invalid_state");
    await api(account, `${ENDPOINTS}/${id}`, { method: "PATCH", body: { active: false } });
    await deliveryOf(account, event.id, "skipped");
    expect((await post(account, path)).body?.["code"]).toBe("endpoint_paused");
    await api(account, `${ENDPOINTS}/${id}`, { method: "PATCH", body: { active: true } });
    const answer = await post(account, path);
    expect([answer.status, answer.body?.["status"]]).toEqual([202, "retrying"]);
    const failed = await deliveryOf(account, event.id, "failed");
    expect(failed).toMatchObject({ attempt_count: 2, trigger: "event" });
    status = 200;
    expect((await post(account, path)).status).toBe(202);
    expect(await deliveryOf(account, event.id, "succeeded")).toMatchObject({ attempt_count: 3 });
    expect((await post(account, path)).body?.["code"]).toBe("invalid_state");
    expect((await post(await stack.newAccount(), path)).status).toBe(404);
  });

  it("retries none after 100 attempts, nor to a deleted endpoint, and says what to do instead", async () => {
    status = 500;
    const account = await stack.newAccount();
    const { id } = await stack.newEndpoint(account, `${receiver.url}/often`);
    const event = freshEvent(account);
    await stack.publish([event]);
    const waiting = await deliveryOf(account, event.id, "retrying");
    await api(account, `${ENDPOINTS}/${id}`, { method: "PATCH", body: { active: false } });
    await deliveryOf(account, event.id, "skipped");
    await api(account, `${ENDPOINTS}/${id}`, { method: "PATCH", body: { active: true } });
    await queryRows(stack.pool, {
      text: `update webhooks.deliveries
        set attempt_log = (select jsonb_agg(l.entry) from (select attempt_log -> 0 as entry from generate_series(1, 99)) l)
        where id = $1`,
      values: [waiting["id"]],
    });
    const path = `${DELIVERIES}/${String(waiting["id"])}/retry`;
    expect((await post(account, path)).status).toBe(202);
    await deliveryOf(account, event.id, "failed");
    const often = {
      code: "quota_exceeded",
      detail: expect.stringContaining("Republish its event"),
    };
    expect(await post(account, path)).toMatchObject({ status: 409, body: often });
    await api(account, `${ENDPOINTS}/${id}`, { method: "DELETE" });
    const detail =
      "Its webhook endpoint was deleted. Republish its event, or recover another endpoint.";
    const gone = { status: 409, body: { code: "invalid_state", detail } };
    expect(await post(account, path)).toMatchObject(gone);
  });

  it("republishes an event to the endpoints that match now", async () => {
    status = 200;
    const account = await stack.newAccount();
    const { id } = await stack.newEndpoint(account, `${receiver.url}/first`);
    const event = freshEvent(account);
    await stack.publish([event]);
    const first = await deliveryOf(account, event.id, "succeeded");
    await api(account, `${ENDPOINTS}/${id}`, { method: "DELETE" });
    const republish = `/v2/porting/events/${event.id}/republish`;
    expect((await post(account, republish)).body).toEqual({ data: [] });
    await stack.newEndpoint(account, `${receiver.url}/second`);
    const answer = await post(account, republish);
    expect(answer.status).toBe(202);
    const [made] = dataOf(answer);
    expect(made).toMatchObject({ trigger: "republish", status: "pending", event_id: event.id });
    expect(made?.["payload"]).toEqual(first["payload"]);
    await deliveryOf(account, event.id, "succeeded");
    const got = receiver.received.filter(({ headers }) => headers["webhook-id"] === event.id);
    expect(got.map(({ path }) => path)).toEqual(["/first", "/second"]);
    expect(got[0]?.body).toEqual(got[1]?.body);
    const all = await api(account, `/v2/porting/events/${event.id}/deliveries`);
    expect(dataOf(all).map((one) => one["trigger"])).toEqual(["republish", "event"]);
    const foreign = await stack.newAccount();
    expect((await post(foreign, republish)).status).toBe(404);
    expect((await api(foreign, `/v2/porting/events/${event.id}/deliveries`)).status).toBe(404);
  });
});
