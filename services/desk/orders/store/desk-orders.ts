import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import type { Order } from "../../../domain/order/rules/order.ts";
import { unknownOrder } from "../../../domain/order/store/read-order.ts";
import { ORDER_COLUMNS, toOneOrder, type OrderRow } from "../../../domain/order/store/order-row.ts";

/** An order of any account that is not deleted. @throws `not_found` */
export async function findAnyOrder(db: Queryable, id: string): Promise<Order> {
  const rows = await queryRows<OrderRow>(db, {
    name: "desk-order-find",
    text: `select ${ORDER_COLUMNS} from orders.porting_orders o
      where o.id = $1 and o.deleted_at is null`,
    values: [id],
  });
  const order = await toOneOrder(db, rows);
  if (order === null) throw unknownOrder();
  return order;
}

export type OrderIdentity = Pick<Order, "id" | "account_id" | "country_code" | "number_type">;

/** Checks that there is an order that is not deleted, without reading it. @throws `not_found` */
export async function requireAnyOrder(db: Queryable, id: string): Promise<OrderIdentity> {
  const [row] = await queryRows<OrderIdentity>(db, {
    name: "desk-order-exists",
    text: `select id, account_id, country_code, number_type from orders.porting_orders
      where id = $1 and deleted_at is null`,
    values: [id],
  });
  if (row === undefined) throw unknownOrder();
  return row;
}
