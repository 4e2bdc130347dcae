import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { pathOf } from "../../../services/platform/files/folder-storage.ts";
import { call, dataOf, textOf } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import { startOwnProduct, type OwnProduct } from "../../support/product/product.ts";
import { testPdf } from "../../support/documents/test-document.ts";
import { temporaryFolder } from "../../support/lifetime/temporary-folder.ts";

const folder = temporaryFolder("damaged");
const SMALL = testPdf();
const LARGE = Buffer.concat([SMALL, Buffer.alloc(3_000_000)]);

let product: OwnProduct;
let orderId: string;

beforeAll(async () => {
  product = await startOwnProduct({ services: ["api"], env: { DOCUMENTS_DIR: folder } });
  const body = { phone_numbers: ["+12125550199"] };
  const url = `${product.apiUrl}/v2/porting_orders`;
  const made = await call(url, { method: "POST", key: product.apiKey, body });
  orderId = z.string().parse(dataOf(made)[0]?.["id"]);
});

/** Uploads a document, changes its last stored byte, and downloads it. */
async function download(document: Buffer): Promise<Response> {
  const url = `${product.apiUrl}/v2/porting_orders/${orderId}/requirements/invoice`;
  const form = (): FormData => {
    const form = new FormData();
    form.set("document_date", new Date().toISOString());
    form.set("file", new Blob([new Uint8Array(document)]), "invoice.pdf");
    return form;
  };
  const id = textOf(await call(url, { method: "PATCH", key: product.apiKey, form }), "field_value");
  const damaged = Buffer.from(document);
  damaged.writeUInt8(0x21, damaged.length - 1);
  writeFileSync(pathOf(folder, id), damaged);
  const headers = { Authorization: `Bearer ${product.apiKey}` };
  return fetch(`${product.apiUrl}/v2/documents/${id}`, { headers });
}

describe("a stored document that was altered", () => {
  it("is refused when it is small", async () => {
    expect((await download(SMALL)).status).toBe(500);
  });

  it("is aborted before its end when it is large, with an error in the log", async () => {
    const response = await download(LARGE);
    expect(response.headers.get("content-length")).toBe(String(LARGE.length));
    await expect(response.arrayBuffer()).rejects.toThrow();
    await eventually(() => {
      const log = readFileSync(join(product.logFolder, "api.log"), "utf8");
      expect(log).toMatch(/"level":50.*a response was aborted/);
    });
  });
});
