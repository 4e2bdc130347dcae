/** @tier all */
import { beforeAll, describe, expect, it } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import { call, dataOf } from "../support/http/call.ts";
import { p99sBeside, type Attack } from "../support/http/latency.ts";
import { startNameServer } from "../support/net/name-server.ts";
import type { CustomerAccess } from "../support/orders/fulfil-order.ts";
import { createAccount } from "../support/product/create-account.ts";
import { startOwnProduct, type OwnProduct } from "../support/product/product.ts";
import { startWebhookReceiver } from "../support/webhooks/webhook-receiver.ts";

const REQUESTS = 100;
/** What a busy machine adds to a request now and then; unprotected, the flood took the p99 from 103 to 346 ms. */
const NOISE_MS = 100;

let product: OwnProduct;
let hostile: CustomerAccess;
let victim: CustomerAccess;
let serial = 0;

beforeAll(async () => {
  const { address } = await startNameServer();
  product = await startOwnProduct({ env: { WEBHOOK_NAME_SERVERS: address } });
  hostile = await createAccount(product, "Hostile");
  victim = await createAccount(product, "Victim");
});

async function askAsVictim(): Promise<void> {
  const { apiUrl, apiKey: key } = victim;
  expect((await call(`${apiUrl}/v2/porting_orders?limit=5`, { key })).status).toBe(200);
}

/** Creates endpoints at silent names until it is stopped, `width` requests at a time; `statuses` gets the answers. */
function floodEndpoints(width: number, statuses: number[]): Attack {
  const { apiUrl, apiKey: key } = hostile;
  let isOver = false;
  const one = async (): Promise<void> => {
    while (!isOver) {
      serial += 1;
      const body = { url: `https://e${serial}.silent.example/`, enabled_events: ["*"] };
      const headers = { "Idempotency-Key": `flood-${serial}` };
      const request = { method: "POST", key, headers, body };
      statuses.push((await call(`${apiUrl}/v2/webhook_endpoints`, request)).status);
    }
  };
  const running = Array.from({ length: width }, one);
  return {
    stop: async () => {
      isOver = true;
      const ready = await fetch(`${product.apiUrl}/readyz`);
      expect(ready.status).toBe(200);
      await Promise.all(running);
    },
  };
}

/** Orders whose `webhook_url` resolves when they are created, and never again. */
async function createSilentOrders(count: number): Promise<void> {
  const { apiUrl, apiKey: key } = hostile;
  const create = async (n: number): Promise<void> => {
    const phone_number = `+1212556${String(n).padStart(4, "0")}`;
    const body = { phone_numbers: [phone_number], webhook_url: `https://n${n}.once.example/` };
    const made = await call(`${apiUrl}/v2/porting_orders`, { method: "POST", key, body });
    expect(made.status).toBe(201);
  };
  await Promise.all(Array.from({ length: count }, (_, n) => create(n)));
}

describe("names that never resolve", () => {
  it("in requests with an Idempotency-Key slow no other account and keep the service ready", async () => {
    const statuses: number[] = [];
    const { alone, beside } = await p99sBeside(() => floodEndpoints(12, statuses), {
      count: REQUESTS,
      request: askAsVictim,
    });
    expect(statuses.length).toBeGreaterThan(0);
    expect([...new Set(statuses)].every((status) => status === 422 || status === 429)).toBe(true);
    expect(beside).toBeLessThan(2 * alone + NOISE_MS);
  });
});

describe("orders' own webhook_urls whose names go silent", () => {
  it("cost another account no attempt and no time", async () => {
    const receiver = await startWebhookReceiver();
    await createSilentOrders(150);
    const { apiUrl, apiKey: key } = victim;
    const endpoint = { url: `${receiver.url}/hook`, enabled_events: ["porting_order.created"] };
    const made = await call(`${apiUrl}/v2/webhook_endpoints`, {
      method: "POST",
      key,
      body: endpoint,
    });
    expect(made.status).toBe(201);
    const body = { phone_numbers: ["+12125550177"] };
    await call(`${apiUrl}/v2/porting_orders`, { method: "POST", key, body });
    const sentAt = performance.now();
    await eventually(() => expect(receiver.received).toHaveLength(1));
    expect(performance.now() - sentAt).toBeLessThan(2_000);
    await eventually(async () => {
      const listed = await call(`${apiUrl}/v2/webhook_deliveries`, { key });
      expect(dataOf(listed)).toMatchObject([{ status: "succeeded", attempt_count: 1 }]);
    });
  });
});
