import { ORDER_STATUSES } from "../../../domain/order/rules/order.ts";
import { factsOf } from "../../../domain/order/rules/status-facts.ts";
import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";

/** Drafts are nobody's concern but their customer's; what has ended is no longer live. */
const DRAFTS = ORDER_STATUSES.filter((status) => factsOf(status).deletable);

/** The numbers (n) of an order that are in a live order (d) of another account too (m: that order's numbers). */
const duplicatesOf = (orderId: string, accountId: string) => `orders.order_numbers n
  join orders.order_numbers m on m.phone_number = n.phone_number and m.live and m.account_id <> ${accountId}
  join orders.porting_orders d on d.id = m.order_id and d.status <> all ('{${DRAFTS.join(",")}}')
  where n.order_id = ${orderId}`;

/** SQL of whether an order, by its alias, has a number that another account is porting too. */
export function hasDuplicate(order: string, id = "id"): string {
  return `exists (select from ${duplicatesOf(`${order}.${id}`, `${order}.account_id`)})`;
}

/** SQL of the first live order of another account with numbers of an order `o`, and whose it is. */
export const ONE_DUPLICATE = `select json_build_object('account', a.name, 'created_at', d.created_at)
  from accounts.accounts a, ${duplicatesOf("o.id", "o.account_id")} and a.id = d.account_id limit 1`;

/** A live order of another account with numbers of this one. */
export interface Duplicate {
  readonly order_id: string;
  readonly account: { readonly id: string; readonly name: string };
  readonly status: string;
  /** The first such number, of so many. */
  readonly phone_number: string;
  readonly count: number;
  readonly created_at: Date;
}

const MOST = 20;

/** The live orders of other accounts with numbers of an order, the oldest first. */
export async function listDuplicates(
  db: Queryable,
  { id, account_id }: { readonly id: string; readonly account_id: string },
): Promise<Duplicate[]> {
  return queryRows<Duplicate>(db, {
    name: "order-duplicates",
    text: `select d.id as order_id, json_build_object('id', a.id, 'name', a.name) as account, d.status,
        min(n.phone_number) as phone_number, count(*) as count, d.created_at
      from (select m.order_id, n.phone_number from ${duplicatesOf("$1", "$2")}) n
      join orders.porting_orders d on d.id = n.order_id
      join accounts.accounts a on a.id = d.account_id
      group by d.id, a.id order by d.id limit ${MOST}`,
    values: [id, account_id],
  });
}
