import type { IdRange } from "../../../platform/db/id-range.ts";
import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import type { Order, OrderStatus } from "../../../domain/order/rules/order.ts";
import { unknownOrder } from "../../../domain/order/store/read-order.ts";
import { ORDER_COLUMNS, toOrder, type OrderRow } from "../../../domain/order/store/order-row.ts";

export interface DeskOrderFilter {
  readonly id?: string | undefined;
  readonly account_id?: string | undefined;
  readonly status?: readonly OrderStatus[] | undefined;
  readonly provider?: string | undefined;
  readonly customer_reference?: string | undefined;
  readonly phone_number?: string | undefined;
}

/** An order of any account that is not deleted. @throws `not_found` */
export async function findAnyOrder(db: Queryable, id: string): Promise<Order> {
  const [row] = await queryRows<OrderRow>(db, {
    name: "desk-order-find",
    text: `select ${ORDER_COLUMNS} from orders.porting_orders o
      where o.id = $1 and o.deleted_at is null`,
    values: [id],
  });
  if (row === undefined) throw unknownOrder();
  return toOrder(row);
}

export interface DeskOrderList {
  readonly range: IdRange;
  readonly filter: DeskOrderFilter;
}

/** Orders of all accounts in a range of ids that match every given filter, in scan order. */
export async function listAnyOrders(
  db: Queryable,
  { range, filter }: DeskOrderList,
): Promise<Order[]> {
  const rows = await queryRows<OrderRow>(db, {
    text: `select ${ORDER_COLUMNS} from orders.porting_orders o
      where o.deleted_at is null and o.id > $1 and o.id < $2
        and ($4::uuid is null or o.id = $4)
        and ($5::uuid is null or o.account_id = $5)
        and ($6::text[] is null or o.status = any ($6))
        and ($7::text is null or o.provider = $7)
        and ($8::text is null or o.customer_reference = $8)
        and ($9::text is null or o.id in
          (select order_id from orders.order_numbers where phone_number = $9))
      order by o.id ${range.direction} limit $3`,
    values: [
      range.above,
      range.below,
      range.fetch,
      filter.id ?? null,
      filter.account_id ?? null,
      filter.status ?? null,
      filter.provider ?? null,
      filter.customer_reference ?? null,
      filter.phone_number ?? null,
    ],
  });
  return rows.map(toOrder);
}
