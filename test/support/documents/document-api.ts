import { randomBytes } from "node:crypto";
import { z } from "zod";
import { dataOf, type Answer } from "../http/call.ts";
import { temporaryFolder } from "../lifetime/temporary-folder.ts";
import type { OwnProduct } from "../product/product.ts";
import { startTestApi, type TestApi } from "../product/test-api.ts";
import { testPdf } from "./test-document.ts";
import { uploadToOrder, type OrderUpload } from "./upload-to-order.ts";

/** An upload, as the product's first customer unless another key is given. */
export type Upload = Partial<Omit<OrderUpload, "orderId">> & { readonly key?: string };

/** A product of the test's own, with a folder for its documents. */
export interface DocumentApi extends TestApi<OwnProduct> {
  readonly folder: string;
  /** The key that signs links. */
  readonly secretKey: Buffer;
  newOrder(): Promise<string>;
  /** Uploads an invoice: a small PDF unless given. */
  upload(orderId: string, options?: Upload): Promise<Answer>;
  fetchDocument(path: string, key?: string, method?: string): Promise<Response>;
}

const SERVICES = ["api", "desk", "requirement-review", "order-lifecycle", "outbox-relay"] as const;

export async function openDocumentApi(): Promise<DocumentApi> {
  const folder = temporaryFolder("documents");
  const secretKey = randomBytes(32);
  const env = { DOCUMENTS_DIR: folder, SECRETS_KEY: secretKey.toString("base64") };
  const api = await startTestApi({ services: SERVICES, env });
  return {
    ...api,
    folder,
    secretKey,
    newOrder: async () => {
      const made = await api.call("POST", "/v2/porting_orders", {
        phone_numbers: [api.product.newNumber()],
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
