import type { Product } from "../product/product.ts";
import { call, type Answer } from "../http/call.ts";

export interface OrderUpload {
  readonly orderId: string;
  /** The invoice, unless another requirement is named. */
  readonly slug?: string;
  readonly content: Buffer;
}

/** Uploads a document as a requirement of an order, dated today. */
export function uploadToOrder(
  { apiUrl, apiKey: key }: Pick<Product, "apiUrl" | "apiKey">,
  { orderId, slug = "invoice", content }: OrderUpload,
): Promise<Answer> {
  return call(`${apiUrl}/v2/porting_orders/${orderId}/requirements/${slug}`, {
    method: "PATCH",
    key,
    form: () => {
      const form = new FormData();
      form.set("document_date", new Date().toISOString());
      form.set("file", new Blob([new Uint8Array(content)]), "document");
      return form;
    },
  });
}
