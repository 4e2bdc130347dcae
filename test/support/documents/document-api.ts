import { randomBytes } from "node:crypto";
import { z } from "zod";
import { dataOf, type Answer } from "../http/call.ts";
import { temporaryFolder } from "../lifetime/temporary-folder.ts";
import type { OwnProduct, TestProductOptions } from "../product/product.ts";
import { startTestApi, type TestApi } from "../product/test-api.ts";
import { testPdf } from "./test-document.ts";
import { uploadToOrder, type OrderUpload } from "./upload-to-order.ts";

/** An upload, as the product's first customer unless another key is given. */
export type Upload = Partial<Omit<OrderUpload, "orderId">> & { readonly key?: string };

/** The API with a folder of its own for documents. */
export interface DocumentApi extends TestApi<OwnProduct> {
  readonly folder: string;
  /** The key that signs links. */
  readonly secretKey: Buffer;
  newOrder(): Promise<string>;
  /** Uploads an invoice: a small PDF unless given. */
  upload(orderId: string, options?: Upload): Promise<Answer>;
  fetchDocument(path: string, key?: string, method?: string): Promise<Response>;
}

export async function openDocumentApi(
  options: Pick<TestProductOptions, "services">,
): Promise<DocumentApi> {
  const folder = temporaryFolder("documents");
  const secretKey = randomBytes(32);
  const env = { DOCUMENTS_DIR: folder, SECRETS_KEY: secretKey.toString("base64") };
  const api = await startTestApi({ ...options, env });
  let nextNumber = 100;
  return {
    ...api,
    folder,
    secretKey,
    newOrder: async () => {
      nextNumber += 1;
      const made = await api.call("POST", "/v2/porting_orders", {
        phone_numbers: [`+12125550${nextNumber}`],
      });
      return z.string().parse(dataOf(made)[0]?.["id"]);
    },
    upload: (orderId, { key = api.product.apiKey, ...upload } = {}) =>
      uploadToOrder(
        { apiUrl: api.product.apiUrl, apiKey: key },
        { orderId, content: testPdf(), name: "invoice.pdf", ...upload },
      ),
    fetchDocument: (path, key, method = "GET") => {
      const headers: Record<string, string> =
        key === undefined ? {} : { Authorization: `Bearer ${key}` };
      return fetch(api.product.apiUrl + path, { method, headers });
    },
  };
}
