/** @tier all */
import { beforeAll, describe, expect, it } from "@jest/globals";
import { Agent, request } from "undici";
import { endAfterTests } from "../support/lifetime/end-after-tests.ts";
import { eventually } from "../support/eventually.ts";
import { sendHalfRequests } from "../support/http/half-sent-requests.ts";
import { p99Ms } from "../support/http/latency.ts";
import { startOwnProduct, type OwnProduct } from "../support/product/product.ts";

const HOSTILE = "127.0.0.1";
const VICTIM = "127.0.0.2";
const REQUESTS = 100;
/** What a busy machine adds to a single request now and then. */
const NOISE_MS = 40;

let product: OwnProduct;

beforeAll(async () => {
  product = await startOwnProduct({ services: ["api", "desk"] });
});

/** Each request on a connection of its own, as of a new client. */
function measureVictim(url: string, key: string): Promise<number> {
  const dispatcher = new Agent({ localAddress: VICTIM, pipelining: 0 });
  endAfterTests(() => dispatcher.close());
  const headers = { authorization: `Bearer ${key}` };
  return p99Ms(REQUESTS, async () => {
    const answer = await request(url, { headers, dispatcher });
    await answer.body.dump();
    expect(answer.statusCode).toBe(200);
  });
}

describe("2,100 half-sent requests from one address", () => {
  it.each([
    ["API", () => [product.apiUrl, "/v2/porting_orders", product.apiKey] as const],
    ["desk", () => [product.deskUrl, "/desk/v1/me", product.deskToken] as const],
  ])("slow no other address at the %s, and end within some seconds", async (_, front) => {
    const [origin, path, key] = front();
    const alone = await measureVictim(origin + path, key);
    const flood = await sendHalfRequests(origin, { count: 2_100, localAddress: HOSTILE });
    const sentAt = performance.now();
    await eventually(() => expect(flood.open()).toBeLessThanOrEqual(200));
    const beside = await measureVictim(origin + path, key);
    expect(beside).toBeLessThan(2 * alone + NOISE_MS);
    await eventually(() => expect(flood.open()).toBe(0));
    expect(performance.now() - sentAt).toBeLessThan(12_000);
    const metrics = await (await fetch(`${origin}/metrics`)).text();
    expect(metrics).toMatch(/^http_connections_refused_total\{.*reason="address".*\} \d{4}$/m);
  });
});
