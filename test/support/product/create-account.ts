import { call, textOf } from "../http/call.ts";
import type { CustomerAccess, DeskAccess } from "../orders/fulfil-order.ts";

/** A new account as its customer reaches it. */
export async function createAccount(
  { apiUrl, deskUrl, deskToken }: DeskAccess & Pick<CustomerAccess, "apiUrl">,
  name: string,
): Promise<CustomerAccess> {
  const request = { method: "POST", key: deskToken, body: { name } };
  const created = await call(`${deskUrl}/desk/v1/accounts`, request);
  return { apiUrl, apiKey: textOf(created, "api_key") };
}
