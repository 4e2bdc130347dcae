/** @tier all */
import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { buildSlowPdf } from "../support/documents/document-factory.ts";
import { testPdf } from "../support/documents/test-document.ts";
import { eventually } from "../support/eventually.ts";
import { call, dataOf } from "../support/http/call.ts";
import { p99Ms } from "../support/http/latency.ts";
import { uploadDocument, type CustomerAccess } from "../support/orders/fulfil-order.ts";
import { createAccount } from "../support/product/create-account.ts";
import { startOwnProduct, type OwnProduct } from "../support/product/product.ts";

/** What else the attack costs a machine of two cores: one of them is busy with a bomb. */
const NOISE_MS = 500;
/** Each is worked at for 10 s, after which its worker is ended. */
const BOMBS = 20;

let product: OwnProduct;
let hostile: CustomerAccess;
let victim: CustomerAccess;
let serial = 1_000;

beforeAll(async () => {
  const services = [
    "api",
    "desk",
    "requirement-review",
    "order-lifecycle",
    "outbox-relay",
  ] as const;
  product = await startOwnProduct({ services });
  hostile = await createAccount(product, "Hostile");
  victim = await createAccount(product, "Victim");
});

/** Uploads to a new order, whose URL it returns. */
async function upload(access: CustomerAccess, content: Buffer): Promise<string> {
  serial += 1;
  const orders = `${access.apiUrl}/v2/porting_orders`;
  const body = { phone_numbers: [`+1212555${serial}`] };
  const made = await call(orders, { method: "POST", key: access.apiKey, body });
  const orderId = z.string().parse(dataOf(made)[0]?.["id"]);
  await uploadDocument(access, { orderId, slug: "invoice", content });
  return `${orders}/${orderId}`;
}

/** From the upload until the result of its check shows. */
async function checkDocument(): Promise<void> {
  const order = await upload(victim, testPdf());
  await eventually(async () => {
    const { body } = await call(`${order}/readiness`, { key: victim.apiKey });
    expect(JSON.stringify(body)).not.toContain("checking");
  });
}

describe("one account's files that take long to open", () => {
  it("do not delay the check of another account's document", async () => {
    await checkDocument();
    const alone = await p99Ms(3, checkDocument);
    await Promise.all(Array.from({ length: BOMBS }, () => upload(hostile, buildSlowPdf())));
    const beside = await p99Ms(3, checkDocument);
    expect(beside).toBeLessThan(2 * alone + NOISE_MS);
  });
});
