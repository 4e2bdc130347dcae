import { z } from "zod";
import { call, dataOf } from "../http/call.ts";
import type { CustomerAccess } from "../orders/fulfil-order.ts";

let line = 100;

/** A new order with a URL for webhooks, which its end user must not see. */
export async function newPortalOrder({ apiUrl, apiKey: key }: CustomerAccess): Promise<string> {
  line += 1;
  const body = { phone_numbers: [`+12125550${line}`], webhook_url: "http://127.0.0.1:9999/secret" };
  const made = await call(`${apiUrl}/v2/porting_orders`, { method: "POST", key, body });
  return z.string().parse(dataOf(made)[0]?.["id"]);
}
