import { beforeAll, describe, expect, it } from "@jest/globals";
import { buildPng, buildTiff } from "../../support/documents/document-factory.ts";
import { FAX_SIZE, FAX_TIFF } from "../../support/documents/fax-tiff.ts";
import { uploadToOrder } from "../../support/documents/upload-to-order.ts";
import { call, dataOf, textOf } from "../../support/http/call.ts";
import { openReviewDesk, type ReviewDesk } from "../../support/orders/review-desk.ts";

let desk: ReviewDesk;

beforeAll(async () => {
  desk = await openReviewDesk();
});

async function uploaded(content: Buffer): Promise<string> {
  const orderId = await desk.newOrder();
  return textOf(await uploadToOrder(desk.product, { orderId, content }), "field_value");
}

function look(id: string, query: string): Promise<Response> {
  const { deskUrl, deskToken } = desk.product;
  const headers = { Authorization: `Bearer ${deskToken}` };
  return fetch(`${deskUrl}/desk/v1/documents/${id}?${query}`, { headers });
}

describe("a TIFF at the desk", () => {
  it("is shown page by page as a PNG, in a sandbox, and each look is recorded", async () => {
    const id = await uploaded(FAX_TIFF);
    for (const query of ["as=png", "as=png&page=2"]) {
      const response = await look(id, query);
      expect(response.status).toBe(200);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        "content-type": "image/png",
        "content-disposition": expect.stringMatching(/^inline; filename="invoice-.*\.png"$/),
        "content-security-policy": expect.stringMatching(/^sandbox; default-src 'none'/),
        "x-content-type-options": "nosniff",
        "cross-origin-resource-policy": "same-origin",
        "cache-control": "private, no-store",
        "document-pages": "2",
      });
      const png = Buffer.from(await response.arrayBuffer());
      expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([
        FAX_SIZE.width,
        FAX_SIZE.height,
      ]);
    }
    const audit = dataOf(
      await desk.desk("GET", `/audit?action=document.viewed&account_id=${desk.account}`),
    );
    expect(audit.map((entry) => entry["after"])).toEqual([
      { document_id: id, slug: "invoice", page: 2 },
      { document_id: id, slug: "invoice", page: 1 },
    ]);
  });

  it("has no other pages, and is never drawn where it is damaged", async () => {
    const id = await uploaded(FAX_TIFF);
    expect((await look(id, "as=png&page=3")).status).toBe(404);
    const damaged = await uploaded(buildTiff({ next: 12 }));
    expect((await look(damaged, "as=png")).status).toBe(400);
    expect((await look(damaged, "")).status).toBe(200);
    expect((await look(id, "as=png")).status).toBe(200);
  });

  it("is not asked for otherwise: what browsers show, a page alone, no such document", async () => {
    const tiff = await uploaded(FAX_TIFF);
    const png = await uploaded(buildPng());
    for (const [id, query] of [
      [png, "as=png"],
      [tiff, "page=1"],
      [tiff, "as=png&page=0"],
      [tiff, "as=png&page=x"],
      [tiff, "as=jpeg"],
    ] as const) {
      const response = await look(id, query);
      expect([query, response.status]).toEqual([query, 400]);
    }
    const absent = "01890000-0000-7000-8000-000000000000";
    expect((await look(absent, "as=png")).status).toBe(404);
    const url = `${desk.product.deskUrl}/desk/v1/documents/${tiff}?as=png`;
    expect((await call(url)).status).toBe(401);
  });
});
