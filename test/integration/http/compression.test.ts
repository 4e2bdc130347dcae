import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { request } from "undici";
import { z } from "zod";
import { call, dataOf } from "../../support/http/call.ts";
import type { Product } from "../../support/product/product.ts";
import { startProduct } from "../../support/product/shared-products.ts";

const SMALL_BYTES = 1_024;
/** More than is made at once of a list that is made while it is written. */
const LONG_COMMENTS = 20;
const LONGEST_COMMENT = 4_000;
const ORDERS = 30;

let product: Product;
let comments: string;

beforeAll(async () => {
  product = await startProduct();
  const { apiUrl, apiKey: key } = product;
  for (let n = 0; n < ORDERS; n += 1) {
    const body = { phone_numbers: [product.newNumber()] };
    const made = await call(`${apiUrl}/v2/porting_orders`, { method: "POST", key, body });
    comments = `/v2/porting_orders/${z.string().parse(dataOf(made)[0]?.["id"])}/comments`;
  }
  for (let n = 0; n < LONG_COMMENTS; n += 1) {
    const body = { body: "x".repeat(LONGEST_COMMENT) };
    await call(apiUrl + comments, { method: "POST", key, body });
  }
});

/** The answer as it was sent. */
async function ask(path: string, encodings?: string) {
  const headers = {
    authorization: `Bearer ${product.apiKey}`,
    ...(encodings === undefined ? {} : { "accept-encoding": encodings }),
  };
  const { statusCode, headers: answered, body } = await request(product.apiUrl + path, { headers });
  return { status: statusCode, headers: answered, body: Buffer.from(await body.arrayBuffer()) };
}

const OPEN = { br: brotliDecompressSync, gzip: gunzipSync } as const;
const SHORT_LIST = "/v2/porting_orders?limit=2";
const LONG_LIST = "/v2/porting_orders?limit=30&include=requirements";

describe("an answer above 1 kB", () => {
  it.each([
    ["gzip", "gzip"],
    ["br", "br, gzip, deflate"],
    ["gzip", "br;q=0.5, gzip"],
  ] as const)("is sent as %s to a client that accepts %s", async (encoding, accepted) => {
    for (const path of [SHORT_LIST, LONG_LIST, "/openapi.json", "/docs/api"]) {
      const [plain, packed] = [await ask(path), await ask(path, accepted)];
      expect([plain.status, packed.status]).toEqual([200, 200]);
      expect(packed.headers["content-encoding"]).toBe(encoding);
      expect([plain.headers["vary"], packed.headers["vary"]]).toEqual(
        Array(2).fill("Accept-Encoding"),
      );
      expect(packed.body.length).toBeLessThan(plain.body.length);
      expect(OPEN[encoding](packed.body).equals(plain.body)).toBe(true);
    }
  });

  it.each([["identity"], ["deflate"], ["gzip;q=0, br;q=0"], [undefined]])(
    "is sent as it is to a client that accepts %s",
    async (accepted) => {
      const answer = await ask(SHORT_LIST, accepted);
      expect(answer.headers["content-encoding"]).toBeUndefined();
      expect(Number(answer.headers["content-length"])).toBe(answer.body.length);
    },
  );

  it("has a length unless it is made while it is written", async () => {
    expect((await ask("/openapi.json")).headers["content-length"]).toBeDefined();
    expect((await ask("/openapi.json", "gzip")).headers["content-length"]).toBeDefined();
    const orders = await ask(LONG_LIST);
    expect(Number(orders.headers["content-length"])).toBe(orders.body.length);
    expect((await ask(comments)).headers["transfer-encoding"]).toBe("chunked");
    expect((await ask(comments)).headers["content-length"]).toBeUndefined();
  });
});

describe("an answer that is not compressed", () => {
  it("is a short one", async () => {
    const answer = await ask("/healthz", "gzip");
    expect(answer.body.length).toBeLessThan(SMALL_BYTES);
    expect([answer.headers["content-encoding"], answer.headers["vary"]]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it("is an event stream", async () => {
    const headers = { authorization: `Bearer ${product.apiKey}`, "accept-encoding": "gzip, br" };
    const url = `${product.apiUrl}/v2/porting/events/stream`;
    const { headers: answered, body } = await request(url, { headers });
    expect(answered["content-encoding"]).toBeUndefined();
    body.destroy();
  });
});
