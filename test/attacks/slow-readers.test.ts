/** @tier all */
import { connect } from "node:net";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { testPdf } from "../support/documents/test-document.ts";
import { uploadDocument } from "../support/documents/upload-document.ts";
import { eventually } from "../support/eventually.ts";
import { call } from "../support/http/call.ts";
import { p99Ms } from "../support/http/latency.ts";
import { endAfterTests } from "../support/lifetime/end-after-tests.ts";
import type { CustomerAccess } from "../support/orders/fulfil-order.ts";
import { createAccount } from "../support/product/create-account.ts";
import { startOwnProduct, type OwnProduct } from "../support/product/product.ts";

const SOCKETS = 80;
/** Requests of an account that run at once; so many of the sockets get what they never read. */
const AT_ONCE = 20;
/** More than the kernels of both sides take off the server. */
const DOCUMENT = Buffer.concat([testPdf(), Buffer.alloc(18_000_000)]);
const REQUESTS = 100;
/** What a busy machine adds to a single request now and then. */
const NOISE_MS = 40;
/** 30 s, and the time between two looks. */
const CUT_MS = 45_000;

let product: OwnProduct;
let hostile: CustomerAccess;
let victim: CustomerAccess;

beforeAll(async () => {
  product = await startOwnProduct({
    services: ["api", "desk"],
    env: { ACCOUNT_CONCURRENCY: String(AT_ONCE) },
  });
  hostile = await createAccount(product, "Hostile");
  victim = await createAccount(product, "Victim");
});

function measureVictim(): Promise<number> {
  const { apiUrl, apiKey: key } = victim;
  const url = `${apiUrl}/v2/porting_orders?limit=5`;
  return p99Ms(REQUESTS, async () => expect((await call(url, { key })).status).toBe(200));
}

/** Sends a request on each of the connections and reads nothing. */
function askWithoutReading(url: string): void {
  const { hostname: host, port, pathname } = new URL(url);
  for (let n = 0; n < SOCKETS; n += 1) {
    const socket = connect({ host, port: Number(port) }).on("error", () => undefined);
    endAfterTests(() => socket.destroy());
    socket.write(
      `GET ${pathname} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${hostile.apiKey}\r\n\r\n`,
    );
  }
}

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${product.apiUrl}/metrics`)).text();
  const found = new RegExp(`^${name}\\{[^}]*\\} (\\d+)$`, "m").exec(text);
  return Number(found?.[1] ?? 0);
}

const ask = async (url: string, { apiKey: key }: CustomerAccess): Promise<number> =>
  (await fetch(url, { headers: { Authorization: `Bearer ${key}` }, method: "HEAD" })).status;

describe("80 connections of an account that never read", () => {
  it("hold its own slots only, slow nobody else and are cut off", async () => {
    const url = await uploadDocument(hostile, { document: DOCUMENT, phoneNumber: "+12125550121" });
    const alone = await measureVictim();
    askWithoutReading(url);
    await eventually(async () => expect(await ask(url, hostile)).toBe(429));
    const beside = await measureVictim();
    expect(beside).toBeLessThan(2 * alone + NOISE_MS);
    const ready = await fetch(`${product.apiUrl}/readyz`);
    expect(ready.status).toBe(200);
    await eventually(
      async () => expect(await metric("http_slow_readers_cut_total")).toBe(AT_ONCE),
      CUT_MS,
    );
    expect(await ask(url, hostile)).toBe(200);
  });
});
