import { boundValues } from "../../../platform/db/recordset.ts";
import type { IdRange } from "../../../platform/db/id-range.ts";
import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import {
  LISTED_ORDER_COLUMNS,
  toOrders,
  type OrderRow,
} from "../../../domain/order/store/order-row.ts";
import type { ListedOrder } from "../present-desk-order.ts";
import { planFilter, type DeskOrderFilter, type Driver } from "./order-filter.ts";

export interface DeskOrderList {
  readonly range: IdRange;
  readonly filter: DeskOrderFilter;
  readonly now: Date;
}

type ListedRow = OrderRow & { readonly numbers_count: number };

const ORDERS = "orders.porting_orders o";

/** Orders of all accounts in a range of ids that match every given filter, in scan order, with their first numbers. */
export async function listAnyOrders(db: Queryable, list: DeskOrderList): Promise<ListedOrder[]> {
  const { text, values } = findOrders(list);
  const rows = await queryRows<ListedRow>(db, {
    text: `with found as materialized (${text})
      select ${LISTED_ORDER_COLUMNS} from found join ${ORDERS} on o.id = found.id
      order by o.id ${list.range.direction}`,
    values,
  });
  const orders = await toOrders(db, rows);
  return orders.map((order, n) => ({ ...order, numbers_count: rows[n]?.numbers_count ?? 0 }));
}

/** The statement that finds a page's ids. */
export function findOrders({ range, filter, now }: DeskOrderList) {
  const { values, bind } = boundValues(range.above, range.below, range.fetch);
  const { common, drivers } = planFilter(filter, bind, now);
  const inRange = ["o.deleted_at is null", "o.id > $1", "o.id < $2", ...common];
  const page = `order by o.id ${range.direction} limit $3`;
  const branches = drivers.map((driver) => branchOf(driver, inRange, page));
  const [only = ""] = branches;
  const text =
    branches.length === 1
      ? only
      : `select o.id from (${branches.map((one) => `(${one})`).join(" union ")}) o ${page}`;
  return { text, values };
}

/** The first orders of each account are found by the account's index, however many orders the others have. */
function branchOf(
  { from = ORDERS, accounts, where }: Driver,
  inRange: readonly string[],
  page: string,
): string {
  const found = `select o.id from ${from} where ${[...inRange, ...where].join(" and ")} ${page}`;
  if (accounts === undefined) return found;
  return `select o.id from accounts.accounts a cross join lateral (${found}) o where ${accounts} ${page}`;
}
