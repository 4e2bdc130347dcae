import { beforeAll, describe, expect, it } from "@jest/globals";
import { p99Ms } from "../support/http/latency.ts";
import type { CustomerAccess } from "../support/orders/fulfil-order.ts";
import { createAccount } from "../support/product/create-account.ts";
import { startProduct } from "../support/product/product.ts";

const WIDTH = 60;
const REQUESTS = 50;
/** The requests of the flood that run at once, and what a busy machine adds. */
const NOISE_MS = 100;

let hostile: CustomerAccess;
let victim: CustomerAccess;

beforeAll(async () => {
  const product = await startProduct({
    services: ["api", "requirement-review"],
    env: { ACCOUNT_CONCURRENCY: "4" },
  });
  hostile = await createAccount(product, "Hostile");
  victim = await createAccount(product, "Victim");
});

/** The status of a list of orders. */
async function list({ apiUrl, apiKey }: CustomerAccess): Promise<number> {
  const headers = { Authorization: `Bearer ${apiKey}` };
  const response = await fetch(`${apiUrl}/v2/porting_orders`, { headers });
  await response.arrayBuffer();
  return response.status;
}

describe("one account's flood of requests", () => {
  it("is run a few at a time, and slows no other account", async () => {
    const measure = (): Promise<number> =>
      p99Ms(REQUESTS, async () => expect(await list(victim)).toBe(200));
    const alone = await measure();
    const statuses = new Set<number>();
    let isOver = false;
    const flood = Array.from({ length: WIDTH }, async () => {
      while (!isOver) statuses.add(await list(hostile));
    });
    const beside = await measure();
    isOver = true;
    await Promise.all(flood);
    expect(beside).toBeLessThan(2 * alone + NOISE_MS);
    expect([...statuses].every((status) => status === 200 || status === 429)).toBe(true);
  });
});
