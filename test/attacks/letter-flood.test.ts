/** @tier all */
import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { call, dataOf } from "../support/http/call.ts";
import { p99Ms } from "../support/http/latency.ts";
import type { CustomerAccess } from "../support/orders/fulfil-order.ts";
import { createAccount } from "../support/product/create-account.ts";
import { startOwnProduct, type OwnProduct } from "../support/product/product.ts";

/** The letter of another account that is being printed, and what a busy machine adds. */
const NOISE_MS = 400;

let product: OwnProduct;
let hostile: CustomerAccess;
let victim: CustomerAccess;

beforeAll(async () => {
  product = await startOwnProduct({ services: ["api", "desk"] });
  hostile = await createAccount(product, "Hostile");
  victim = await createAccount(product, "Victim");
});

async function createOrder({ apiUrl, apiKey: key }: CustomerAccess, phone_number: string) {
  const body = { phone_numbers: [phone_number] };
  const made = await call(`${apiUrl}/v2/porting_orders`, { method: "POST", key, body });
  return z.string().parse(dataOf(made)[0]?.["id"]);
}

/** The status of a preview of the order's letter. */
async function preview({ apiUrl, apiKey }: CustomerAccess, orderId: string): Promise<number> {
  const headers = { Authorization: `Bearer ${apiKey}` };
  const response = await fetch(`${apiUrl}/v2/porting_orders/${orderId}/loa`, { headers });
  await response.arrayBuffer();
  return response.status;
}

describe("one account's flood of letters", () => {
  it("makes another account wait for one of them at most", async () => {
    const orderId = await createOrder(victim, "+12125550111");
    const floodedId = await createOrder(hostile, "+12125550112");
    const measure = (count: number): Promise<number> =>
      p99Ms(count, async () => expect(await preview(victim, orderId)).toBe(200));
    const alone = await measure(5);
    const flood = Array.from({ length: 90 }, () => preview(hostile, floodedId));
    const beside = await measure(5);
    const statuses = await Promise.all(flood);
    expect(beside).toBeLessThan(2 * alone + NOISE_MS);
    expect([...new Set(statuses)].sort()).toEqual([200, 429]);
  });
});
