import { call, type Answer } from "../http/call.ts";
import type { CustomerAccess } from "../orders/fulfil-order.ts";

export interface OrderUpload {
  readonly orderId: string;
  /** The invoice, unless another requirement is named. */
  readonly slug?: string;
  readonly content: Buffer;
  readonly name?: string;
  /** Now unless given; null sends none. */
  readonly date?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Uploads a document as a requirement of an order. */
export function uploadToOrder(
  { apiUrl, apiKey: key }: CustomerAccess,
  { orderId, slug = "invoice", content, name = "document", ...upload }: OrderUpload,
): Promise<Answer> {
  const { date = new Date().toISOString(), headers = {} } = upload;
  return call(`${apiUrl}/v2/porting_orders/${orderId}/requirements/${slug}`, {
    method: "PATCH",
    key,
    headers,
    form: () => {
      const form = new FormData();
      if (date !== null) form.set("document_date", date);
      form.set("file", new Blob([new Uint8Array(content)]), name);
      return form;
    },
  });
}
