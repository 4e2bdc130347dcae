import { recordset, recordsetValue, type Columns } from "../../../../platform/db/recordset.ts";
import { queryRows, type Queryable } from "../../../../platform/db/transaction.ts";

/**
 * An order's version, from its row: another one after every change, because each decision writes the row in the transaction
 * that writes numbers, requirements and deadlines. The time tells what a failover lost from what came in its place.
 */
export function versionOf(row: "o" | "f"): string {
  return `${row}.xmin || ' ' || extract(epoch from ${row}.updated_at)`;
}

const OWN_ORDER = { account_id: "uuid", order_id: "uuid" } as const satisfies Columns;

/** An order of an account, as a key. */
export function ownOrderKey(accountId: string, orderId: string): string {
  return `${accountId} ${orderId}`;
}

/** One by one: a join would read the whole table while that is small. */
const FIND = `select u.account_id, u.order_id, found.version
  from ${recordset("$1", OWN_ORDER)}
  cross join lateral (
    select ${versionOf("o")} as version from orders.porting_orders o
    where o.account_id = u.account_id and o.id = u.order_id and o.deleted_at is null
    offset 0
  ) found`;

interface VersionRow extends Record<string, unknown> {
  readonly account_id: string;
  readonly order_id: string;
  readonly version: string;
}

/** The versions of orders, by `ownOrderKey`; none for an order that its account does not have. */
export async function findVersions(
  db: Queryable,
  orders: readonly { readonly accountId: string; readonly orderId: string }[],
): Promise<ReadonlyMap<string, string>> {
  const asked = orders.map(({ accountId, orderId }) => ({
    account_id: accountId,
    order_id: orderId,
  }));
  const rows = await queryRows<VersionRow>(db, {
    name: "order-versions",
    text: FIND,
    values: [recordsetValue(OWN_ORDER, asked)],
  });
  return new Map(rows.map((row) => [ownOrderKey(row.account_id, row.order_id), row.version]));
}
