import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";

/** Whether the account has the order; a cursor must be the id of one. */
export async function hasOrder(db: Queryable, accountId: string, id: string): Promise<boolean> {
  const rows = await queryRows(db, {
    text: `select id from orders.porting_orders where account_id = $1 and id = $2`,
    values: [accountId, id],
  });
  return rows.length === 1;
}
