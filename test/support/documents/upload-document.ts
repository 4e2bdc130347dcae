import { call, dataOf, textOf } from "../http/call.ts";
import type { CustomerAccess } from "../orders/fulfil-order.ts";

/** Uploads a document to a new order and returns its URL. */
export async function uploadDocument(
  { apiUrl, apiKey: key }: CustomerAccess,
  { document, phoneNumber }: { readonly document: Buffer; readonly phoneNumber: string },
): Promise<string> {
  const orders = `${apiUrl}/v2/porting_orders`;
  const body = { phone_numbers: [phoneNumber] };
  const [order] = dataOf(await call(orders, { method: "POST", key, body }));
  const url = `${orders}/${String(order?.["id"])}/requirements/invoice`;
  const form = (): FormData => {
    const form = new FormData();
    form.set("document_date", new Date().toISOString());
    form.set("file", new Blob([new Uint8Array(document)]), "invoice.pdf");
    return form;
  };
  const id = textOf(await call(url, { method: "PATCH", key, form }), "field_value");
  return `${apiUrl}/v2/documents/${id}`;
}
