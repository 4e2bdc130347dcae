import { z } from "zod";
import { call, dataOf, textOf } from "../../support/http/call.ts";
import type { OwnProduct } from "../../support/product/product.ts";
import type { Breach } from "./check-history.ts";
import type { DriverRecord } from "./run-progress.ts";
import type { FaultReceiver } from "./fault-receiver.ts";
import { query } from "./history.ts";

export interface FaultAccount {
  readonly accountId: string;
  readonly key: string;
  /** Path at the receiver → the event types that it is registered for; null for all. */
  readonly endpoints: ReadonlyMap<string, ReadonlySet<string> | null>;
}

/** The n-th account of a run, with two endpoints. */
export async function openAccount(
  product: OwnProduct,
  receiver: FaultReceiver,
  n: number,
): Promise<FaultAccount> {
  const endpoints = new Map<string, ReadonlySet<string> | null>([
    [`/account/${n}/all`, null],
    [`/account/${n}/some`, new Set(["number.activated", "porting_order.deleted"])],
  ]);
  const account = { ...(await newAccount(product, `customer ${n}`)), endpoints };
  for (const [path, types] of endpoints) {
    const body = { url: receiver.url + path, enabled_events: [...(types ?? [])] };
    const url = `${product.apiUrl}/v2/webhook_endpoints`;
    const made = await call(url, { method: "POST", key: account.key, body });
    if (made.status !== 201) throw new Error(`creating an endpoint returned ${made.status}`);
  }
  return account;
}

/** An account without endpoints. */
export async function newAccount(
  { deskUrl, deskToken: key }: OwnProduct,
  name: string,
): Promise<{ readonly accountId: string; readonly key: string }> {
  const opened = await call(`${deskUrl}/desk/v1/accounts`, {
    method: "POST",
    key,
    body: { name },
  });
  return { accountId: textOf(opened, "id"), key: textOf(opened, "api_key") };
}

/** Numbers of completed orders that no account's list of numbers has. */
export async function numbersNotActive(
  { apiUrl, databaseUrl }: OwnProduct,
  record: DriverRecord,
  accounts: readonly FaultAccount[],
): Promise<Breach[]> {
  const rows = await query<{ id: string; phone_number: string }>(
    databaseUrl,
    `select n.order_id as id, n.phone_number from orders.order_numbers n
      join orders.porting_orders o on o.id = n.order_id where o.status = 'completed'`,
  );
  const wanted = rows.filter(({ id }) => record.submitted.has(id));
  const live = new Set<string>();
  for (const { key } of accounts) {
    for (let after = "", more = true; more;) {
      const page = await call(`${apiUrl}/v2/numbers?limit=250${after}`, { key });
      const numbers = dataOf(page).map((one) => z.string().parse(one["phone_number"]));
      for (const number of numbers) live.add(number);
      after = `&starting_after=${encodeURIComponent(numbers.at(-1) ?? "")}`;
      more = page.body?.["has_more"] === true;
    }
  }
  return wanted
    .filter(({ phone_number: number }) => !live.has(number))
    .map(({ id }) => `not live: the number of order ${id}`);
}
