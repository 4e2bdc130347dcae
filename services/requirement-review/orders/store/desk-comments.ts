import type { IdRange } from "../../../platform/db/id-range.ts";
import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import type { Comment } from "../../../domain/order/rules/effects.ts";

export interface DeskComment extends Omit<Comment, "author_id"> {
  readonly created_at: Date;
  readonly internal: boolean;
  /** The operator who wrote it. */
  readonly author: { readonly id: string; readonly name: string } | null;
}

/** An order's comments in a range of ids with their operators, in scan order. */
export async function listDeskComments(
  db: Queryable,
  { orderId, range }: { readonly orderId: string; readonly range: IdRange },
): Promise<DeskComment[]> {
  return queryRows<DeskComment>(db, {
    text: `select c.id, c.body, c.author_type, c.created_at, c.internal,
        case when p.id is not null then json_build_object('id', p.id, 'name', p.name) end as author
      from orders.comments c
      left join accounts.operators p on c.author_type = 'ops' and p.id::text = c.author_id
      where c.order_id = $1 and c.id > $2 and c.id < $3
      order by c.id ${range.direction} limit $4`,
    values: [orderId, range.above, range.below, range.fetch],
  });
}

/** Whether the order has the comment; a cursor must be the id of one. */
export async function hasDeskComment(db: Queryable, orderId: string, id: string): Promise<boolean> {
  const text = "select id from orders.comments where order_id = $1 and id = $2";
  return (await queryRows(db, { text, values: [orderId, id] })).length === 1;
}
