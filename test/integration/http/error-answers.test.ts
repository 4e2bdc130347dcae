/** @tier all */
import { beforeAll, describe, expect, it } from "@jest/globals";
import { withConnection } from "../../../infra/local-stack/postgres.ts";
import { PROBLEMS, type ProblemCode } from "../../../services/platform/http/problem.ts";
import { call, textOf, type Answer, type Call } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import {
  openReviewDesk,
  type Operator,
  type ReviewDesk,
} from "../../support/orders/review-desk.ts";
import { withoutDatabase } from "../../support/stack/without-database.ts";

const ORDERS = "/v2/porting_orders";
const HOOKS = "/v2/webhook_endpoints";
const WITH_SPACE = { "Idempotency-Key": "a b" };

let desk: ReviewDesk;
/** A separate account, which will be suspended. */
let other: { readonly id: string; readonly key: string };
let bob: Operator;

beforeAll(async () => {
  desk = await openReviewDesk({ AUTH_FAILURES_PER_MINUTE: "5", MAX_OPEN_NUMBERS: "500" });
  bob = await desk.addOperator("Bob Miller");
  const made = await desk.desk("POST", "/accounts", { name: "Other" });
  other = { id: textOf(made, "id"), key: textOf(made, "api_key") };
});

const ask = (path: string, options: Call = {}): Promise<Answer> =>
  call(desk.product.apiUrl + path, { key: desk.product.apiKey, ...options });
const post = (path: string, body: unknown, options: Call = {}): Promise<Answer> =>
  ask(path, { method: "POST", body, ...options });
/** A request with an invalid body. */
const send = (type: string, body: string): Promise<Answer> => raw(ORDERS, { type, body });

/** Like `call`, with any body. */
async function raw(path: string, sent: { type: string; body: string }): Promise<Answer> {
  const response = await fetch(desk.product.apiUrl + path, {
    method: "POST",
    headers: { Authorization: `Bearer ${desk.product.apiKey}`, "Content-Type": sent.type },
    body: sent.body,
  });
  const body = (await response.json()) as Record<string, unknown>;
  return { status: response.status, headers: response.headers, body };
}

/** An order in a status that otherwise needs a carrier. */
async function orderIn(status: string): Promise<string> {
  const order = await desk.newOrder();
  const text = "update orders.porting_orders set status = $2 where id = $1";
  await desk.database.query(text, [order, status]);
  return order;
}

async function pausedEndpoint(): Promise<string> {
  const url = "http://127.0.0.1:59999/paused";
  return textOf(await post(HOOKS, { url, active: false }), "id");
}

async function twice(first: () => Promise<Answer>): Promise<Answer> {
  await first();
  return first();
}

/** A second request under the key while the first waits for its order, which is locked here. */
async function inProgress(): Promise<Answer> {
  const order = await desk.newOrder();
  const request = () =>
    post(`${ORDERS}/${order}/cancel`, {}, { headers: { "Idempotency-Key": `busy-${order}` } });
  const lock = "select 1 from orders.porting_orders where id = $1 for update";
  return withConnection(desk.product.databaseUrl, async (client) => {
    await client.query("begin");
    await client.query(lock, [order]);
    const waiting = request();
    await eventually(async () => {
      const { rowCount } = await desk.database.query(
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      if (rowCount === 0) throw new Error("the first request does not wait yet");
    });
    const second = await request();
    await client.query("rollback");
    await waiting;
    return second;
  });
}

async function claimed(): Promise<Answer> {
  const order = await desk.newCase();
  await desk.desk("POST", `/reviews/${order}/claim`, {});
  return bob.desk("POST", `/reviews/${order}/claim`, {});
}

async function tooManyFailures(): Promise<Answer> {
  const wrong = () => ask(ORDERS, { key: "nps_live_wrong" });
  return eventually(async () => {
    const answer = await wrong();
    if (answer.status !== 429) throw new Error("not limited yet");
    return answer;
  });
}

/** The error of a missing table, which a client cannot cause. */
async function broken(): Promise<Answer> {
  await desk.database.query("alter table orders.porting_orders rename to away");
  const answer = await ask(ORDERS);
  await desk.database.query("alter table orders.away rename to porting_orders");
  return answer;
}

function unavailable(): Promise<Answer> {
  return withoutDatabase(desk.product.databaseUrl, () =>
    eventually(async () => {
      const one = await ask(ORDERS);
      if (one.status !== 503) throw new Error(`${one.status}`);
      return one;
    }),
  );
}

async function suspended(): Promise<Answer> {
  await desk.desk("POST", `/accounts/${other.id}/suspend`, { reason: "unpaid" });
  return ask(ORDERS, { key: other.key });
}

async function lastKey(): Promise<Answer> {
  const { body } = await ask("/v2/api_keys", { key: other.key });
  const keys = body?.["data"] as { id: string }[];
  return ask(`/v2/api_keys/${keys[0]?.id ?? ""}`, { method: "DELETE", key: other.key });
}

const newNumbers = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `+1212556${1_000 + n}`);

/** One way to provoke each code of the table; those that remove something come last. */
const PROVOKED: Readonly<Record<ProblemCode, () => Promise<Answer>>> = {
  malformed_json: () => send("application/json", "{"),
  invalid_parameter: () => ask(`${ORDERS}?limit=0`),
  invalid_header: () => post(ORDERS, {}, { headers: WITH_SPACE }),
  unauthorized: () => call(desk.product.apiUrl + ORDERS),
  forbidden: async () => {
    const eve = await desk.addOperator("Eve", "viewer");
    return eve.desk("POST", "/accounts", { name: "Mine" });
  },
  not_found: () => ask(`${ORDERS}/${crypto.randomUUID()}`),
  method_not_allowed: () => ask(ORDERS, { method: "PUT", body: {} }),
  not_acceptable: () => ask(ORDERS, { headers: { Accept: "text/html" } }),
  invalid_state: async () => post(`${ORDERS}/${await orderIn("completed")}/cancel`, {}),
  not_ready: async () => post(`${ORDERS}/${await desk.newOrder()}/submit`, {}),
  last_active_key: lastKey,
  number_in_active_order: () => {
    const phone_numbers = [desk.product.newNumber()];
    return twice(() => post(ORDERS, { phone_numbers }));
  },
  quota_exceeded: () => post(ORDERS, { phone_numbers: newNumbers(501) }),
  cancel_too_late: async () => post(`${ORDERS}/${await orderIn("activating")}/cancel`, {}),
  change_too_late: async () =>
    post(`${ORDERS}/${await orderIn("activating")}/changes`, {
      foc_requested: new Date(Date.now() + 30 * 86_400_000).toISOString(),
    }),
  endpoint_paused: async () =>
    post(`${HOOKS}/${await pausedEndpoint()}/recover`, {
      since: "2026-01-01T00:00:00Z",
      mode: "failed",
    }),
  idempotency_in_progress: inProgress,
  claimed,
  already_decided: async () => {
    const order = await desk.newCase();
    await ask(`${ORDERS}/${order}/cancel`, { method: "POST", body: {} });
    return desk.desk("POST", `/reviews/${order}/decision`, { confirm: true });
  },
  payload_too_large: () => send("application/json", JSON.stringify({ a: "x".repeat(1_100_000) })),
  unsupported_media_type: () => send("text/plain", "{}"),
  validation_failed: () => post(ORDERS, { phone_numbers: ["nonsense"] }),
  webhook_url_blocked: () => post(HOOKS, { url: "http://10.0.0.1/hook" }),
  idempotency_key_reused: async () => {
    const headers = { "Idempotency-Key": "one-key" };
    await post("/v2/portability_checks", { phone_numbers: ["+12125557701"] }, { headers });
    return post("/v2/portability_checks", { phone_numbers: ["+12125557702"] }, { headers });
  },
  account_suspended: suspended,
  rate_limited: tooManyFailures,
  internal: broken,
  unavailable,
};

const HEADERS: Partial<Record<ProblemCode, readonly [name: string, value: RegExp]>> = {
  unauthorized: ["WWW-Authenticate", /^Bearer$/],
  method_not_allowed: ["Allow", /^(?=.*\bGET\b)(?=.*\bPOST\b)/],
  rate_limited: ["Retry-After", /^[1-9]\d*$/],
  unavailable: ["Retry-After", /^[1-9]\d*$/],
};

describe("the error table", () => {
  it.each(Object.entries(PROVOKED))("%s", async (code, provoke) => {
    const answer = await provoke();
    const { status, title } = PROBLEMS[code as ProblemCode];
    expect(answer.body).toMatchObject({ code, status, title });
    expect(answer.status).toBe(status);
    expect(answer.headers.get("Content-Type")).toBe("application/problem+json");
    expect(answer.body?.["request_id"]).toBe(answer.headers.get("Request-Id"));
    const [name, value] = HEADERS[code as ProblemCode] ?? [];
    if (name !== undefined) expect(answer.headers.get(name)).toMatch(value ?? /./);
  });
});
