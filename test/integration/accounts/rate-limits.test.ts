/** @tier all */
import { beforeAll, describe, expect, it } from "@jest/globals";
import { call, dataOf, textOf } from "../../support/http/call.ts";
import { exchange, newLink, visit } from "../../support/portal/portal-visitor.ts";
import { startOwnProduct, type OwnProduct } from "../../support/product/product.ts";

let product: OwnProduct;

beforeAll(async () => {
  product = await startOwnProduct({
    services: ["api", "api#2", "desk"],
    env: {
      RATE_LIMIT_PER_MINUTE: "60",
      RATE_LIMIT_BURST: "40",
      AUTH_FAILURES_PER_MINUTE: "20",
      MAX_PORTAL_LINKS: "3",
    },
  });
});

const apis = (): string[] =>
  (["api", "api#2"] as const).map((name) => product.supervisor.service(name).url());

async function newKey(): Promise<string> {
  const url = `${product.deskUrl}/desk/v1/accounts`;
  return textOf(
    await call(url, { method: "POST", key: product.deskToken, body: { name: "busy" } }),
    "api_key",
  );
}

async function ask(key: string, count: number) {
  return Promise.all(
    Array.from({ length: count }, (_, n) => call(`${apis()[n % 2] ?? ""}/v2/api_keys`, { key })),
  );
}

describe("the rate limit of an account", () => {
  it("applies across two processes, and is shown in the headers", async () => {
    const [key, other] = await Promise.all([newKey(), newKey()]);
    const answers = await ask(key, 120);
    const allowed = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 429);
    expect(allowed.length).toBeGreaterThanOrEqual(40);
    // The burst, and the refill of a second or two.
    expect(allowed.length).toBeLessThanOrEqual(50);
    expect(allowed.length + refused.length).toBe(120);
    expect(allowed[0]?.headers.get("ratelimit-policy")).toBe('"account";q=60;w=60');
    expect(allowed[0]?.headers.get("ratelimit")).toMatch(/^"account";r=\d+;t=\d+$/);
    for (const { headers, body } of refused) {
      expect(Number(headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
      expect(body?.["code"]).toBe("rate_limited");
    }
    const [theirs] = await ask(other, 1);
    expect(theirs?.status).toBe(200);
  });

  it("does not apply to health requests without a key", async () => {
    const probes = await Promise.all(
      Array.from({ length: 60 }, () => call(`${product.apiUrl}/healthz`)),
    );
    expect(new Set(probes.map(({ status }) => status))).toEqual(new Set([200]));
  });
});

// (docs/contract/customer-api.md, Conventions)
describe("the desk", () => {
  it("has no rate limit: the operators of many cases are not customers", async () => {
    const url = `${product.deskUrl}/desk/v1/accounts`;
    const answers = await Promise.all(
      Array.from({ length: 120 }, () => call(url, { key: product.deskToken })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(answers[0]?.headers.get("ratelimit-policy")).toBeNull();
  });
});

describe("links to an order", () => {
  it("count against their account too, so that many of them allow no more than one key", async () => {
    const customer = { apiUrl: product.apiUrl, apiKey: await newKey() };
    const made = await call(`${customer.apiUrl}/v2/porting_orders`, {
      ...{ method: "POST", key: customer.apiKey },
      body: { phone_numbers: [product.newNumber()] },
    });
    const order_id = dataOf(made)[0]?.["id"];
    const links = [1, 2, 3].map(() => newLink(customer, { order_id }));
    const visitors = await Promise.all(
      (await Promise.all(links)).map((link) => visit(product.apiUrl, link)),
    );
    const path = `/v2/porting_orders/${String(order_id)}`;
    const answers = await Promise.all(
      Array.from({ length: 120 }, (_, n) => visitors[n % 3]).flatMap((one) =>
        one === undefined ? [] : [one.ask("GET", path)],
      ),
    );
    expect(answers.filter((one) => one.status === 200).length).toBeLessThanOrEqual(50);
    expect(answers[0]?.headers.get("Cache-Control")).toBe("private, no-store");
  });

  it("are 10,000 at most, or as many as are set, until some end", async () => {
    const customer = { apiUrl: product.apiUrl, apiKey: await newKey() };
    const [first] = [await newLink(customer), await newLink(customer), await newLink(customer)];
    const url = `${product.apiUrl}/v2/portal_sessions`;
    const one = { key: customer.apiKey, body: {} };
    const refused = await call(url, { method: "POST", ...one });
    expect(refused).toMatchObject({ status: 409, body: { code: "quota_exceeded" } });
    await call(`${url}/${first.id}`, { method: "DELETE", key: customer.apiKey });
    expect((await call(url, { method: "POST", ...one })).status).toBe(201);
  });

  it("are opened 60 times a minute by one address", async () => {
    const customer = { apiUrl: product.apiUrl, apiKey: await newKey() };
    const made = await call(`${customer.apiUrl}/v2/porting_orders`, {
      ...{ method: "POST", key: customer.apiKey },
      body: { phone_numbers: [product.newNumber()] },
    });
    const link = await newLink(customer, { order_id: dataOf(made)[0]?.["id"] });
    const opened = await Promise.all(
      Array.from({ length: 80 }, () => exchange(product.apiUrl, link)),
    );
    const refused = opened.filter(({ status }) => status === 429);
    // A token comes back each second, and the tests before have used some.
    expect(refused.length).toBeGreaterThan(10);
    expect(refused[0]?.body?.["detail"]).toContain("60 openings of portal links a minute");
  });
});

describe("failed authentication", () => {
  it("is slowed per address, and never slows a valid key", async () => {
    const answers = await ask("nps_live_wrong", 60);
    const statuses = new Set(answers.map(({ status }) => status));
    expect(statuses).toEqual(new Set([401, 429]));
    expect(answers.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(25);
    const [valid] = await ask(await newKey(), 1);
    expect(valid?.status).toBe(200);
  });
});
