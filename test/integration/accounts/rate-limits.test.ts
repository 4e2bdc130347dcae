/** @tier all */
import { beforeAll, describe, expect, it } from "@jest/globals";
import { call, textOf } from "../../support/http/call.ts";
import { startOwnProduct, type OwnProduct } from "../../support/product/product.ts";

let product: OwnProduct;

beforeAll(async () => {
  product = await startOwnProduct({
    services: ["api", "api#2", "requirement-review"],
    env: {
      RATE_LIMIT_PER_MINUTE: "60",
      RATE_LIMIT_BURST: "40",
      AUTH_FAILURES_PER_MINUTE: "20",
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
