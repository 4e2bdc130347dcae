import {
  cutPageById,
  rowsOfPage,
  type CutRow,
  type IdRange,
} from "../../../platform/db/id-range.ts";
import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import type { PageRows } from "../../../platform/http/paging.ts";
import type { Comment } from "../../../domain/order/rules/effects.ts";

export interface DeskComment extends Omit<Comment, "author_id"> {
  readonly created_at: Date;
  readonly internal: boolean;
  /** The operator who wrote it. */
  readonly author: { readonly id: string; readonly name: string } | null;
}

/** An order's comments in a range of ids with their operators, in scan order, as far as they fit a page. */
export async function listDeskComments(
  db: Queryable,
  { orderId, range }: { readonly orderId: string; readonly range: IdRange },
): Promise<PageRows<DeskComment>> {
  const page = `select c.id, c.body, c.author_type, c.created_at, c.internal,
      case when p.id is not null then json_build_object('id', p.id, 'name', p.name) end as author
    from orders.comments c
    left join accounts.operators p on c.author_type = 'ops' and p.id::text = c.author_id
    where c.order_id = $1 and c.id > $2 and c.id < $3
    order by c.id ${range.direction} limit $4`;
  const rows = await queryRows<DeskComment & CutRow>(db, {
    text: cutPageById(page, range.direction, "octet_length(p.body)"),
    values: [orderId, range.above, range.below, range.fetch],
  });
  const { rows: shown, hasMore } = rowsOfPage(rows, range.fetch);
  return { rows: shown.map(withoutCut), hasMore };
}

/** What is shown is the comment alone. */
function withoutCut(row: DeskComment): DeskComment {
  const { id, body, author_type, created_at, internal, author } = row;
  return { id, body, author_type, created_at, internal, author };
}

/** Whether the order has the comment; a cursor must be the id of one. */
export async function hasDeskComment(db: Queryable, orderId: string, id: string): Promise<boolean> {
  const text = "select id from orders.comments where order_id = $1 and id = $2";
  return (await queryRows(db, { text, values: [orderId, id] })).length === 1;
}
