import { hashKey } from "../../../../domain/account/rules/api-key.ts";
import { JOIN_HOLDER, type KeyHolder } from "../../../../domain/account/store/api-keys.ts";
import { recordset, recordsetValue, type Columns } from "../../../../platform/db/recordset.ts";
import { queryRows, type Queryable } from "../../../../platform/db/transaction.ts";
import { versionOf } from "./order-versions.ts";

/** A key, and the order that its request is about. */
export interface OrderCall {
  readonly key: string;
  readonly orderId: string;
}

/** The holder of a key with the version of the order; null where the holder's account has no such order. */
export interface OrderCaller extends KeyHolder {
  readonly version: string | null;
}

const CALLS = { n: "integer", key_hash: "bytea", order_id: "uuid" } as const satisfies Columns;

/** One by one: a join would read the whole table while that is small. */
const FIND = `select u.n, holder.key_id, holder.account_id, holder.status, found.version
  from ${recordset("$1", CALLS)}
  ${JOIN_HOLDER}
  left join lateral (
    select ${versionOf("o")} as version from orders.porting_orders o
    where o.account_id = holder.account_id and o.id = u.order_id and o.deleted_at is null
    offset 0
  ) found on true`;

/** Who calls, and the order's version, as they are in the same snapshot; a key that is not valid has no entry. */
export async function findOrderCallers(
  db: Queryable,
  calls: readonly OrderCall[],
): Promise<ReadonlyMap<OrderCall, OrderCaller>> {
  const hashes = new Map<string, Buffer>();
  const rows = calls.map(({ key, orderId }, n) => {
    const hash = hashes.get(key) ?? hashKey(key);
    hashes.set(key, hash);
    return { n, key_hash: hash, order_id: orderId };
  });
  const found = await queryRows<OrderCaller & { readonly n: number }>(db, {
    name: "order-callers",
    text: FIND,
    values: [recordsetValue(CALLS, rows)],
  });
  const callers = new Map<OrderCall, OrderCaller>();
  for (const row of found) {
    const call = calls[row.n];
    if (call !== undefined) callers.set(call, row);
  }
  return callers;
}
