import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { BAD_DOCUMENTS } from "../../support/documents/bad-documents.ts";
import { uploadToOrder } from "../../support/documents/upload-to-order.ts";
import { eventually } from "../../support/eventually.ts";
import { openReviewDesk, type ReviewDesk } from "../../support/orders/review-desk.ts";

const MIB = 1024 * 1024;

const entries = z.array(z.looseObject({ kind: z.string(), data: z.looseObject({}) }));

let desk: ReviewDesk;

beforeAll(async () => {
  desk = await openReviewDesk();
});

/** What the customer reads about a document that was checked. */
async function reasonOf(content: Buffer): Promise<Record<string, unknown>> {
  const orderId = await desk.newOrder();
  const { status } = await uploadToOrder(desk.product, { orderId, content });
  expect(status).toBe(200);
  return eventually(async () => {
    const { body } = await desk.api("GET", `/v2/porting_orders/${orderId}/timeline`);
    const found = entries.parse(body?.["data"]).find(({ kind }) => kind === "document");
    if (found === undefined) throw new Error("it is not checked yet");
    return found.data;
  });
}

describe("a bad document", () => {
  it.each(BAD_DOCUMENTS)("$name is refused as $code", async ({ build, code, detail }) => {
    expect(await reasonOf(await build())).toMatchObject({
      check: "failed",
      code,
      detail: expect.stringContaining(detail),
    });
  });

  it.each([
    ["0 bytes", Buffer.alloc(0), [422, "empty_document"]],
    ["a page of HTML", Buffer.from("<html></html>"), [422, "unsupported_document_type"]],
    ["20 MiB and a byte", Buffer.alloc(20 * MIB + 1, "%PDF-1.7 "), [413, "payload_too_large"]],
  ] as const)("%s is refused at once", async (_name, content, [status, code]) => {
    const orderId = await desk.newOrder();
    const refused = await uploadToOrder(desk.product, { orderId, content });
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([
      status,
      expect.stringContaining(`"${code}"`),
    ]);
  });
});
