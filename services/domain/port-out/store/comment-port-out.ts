import {
  inTransaction,
  queryRows,
  type Database,
  type Queryable,
} from "../../../platform/db/transaction.ts";
import { insertComment, requireCommentRoom, type CommentRow } from "../../order/store/comments.ts";
import type { PortOut } from "../rules/port-out.ts";
import { lockPortOutOf } from "./read-port-out.ts";

/**
 * Adds a comment of the customer or, where `accountId` is null, of the desk, which answers those before it. It fires no event.
 * @throws `not_found`, also for another account's and for one of no account; `quota_exceeded`
 */
export async function commentPortOut(
  db: Database,
  { id, accountId }: { readonly id: string; readonly accountId: string | null },
  comment: CommentRow,
  also?: (tx: Queryable, portOut: PortOut) => Promise<void>,
): Promise<void> {
  const isCustomers = comment.author_type === "customer";
  await inTransaction(db, async (tx) => {
    const portOut = await lockPortOutOf(tx, accountId, id);
    const on = { subject: "port_out", id, accountId: portOut.account_id } as const;
    await insertComment(tx, on, { ...comment, internal: false });
    if (isCustomers) await requireCommentRoom(tx, on);
    await queryRows(tx, {
      name: "port-out-unanswered",
      text: `update orders.port_outs set unanswered_comment_at =
        case when $2 then coalesce(unanswered_comment_at, $3) end where id = $1`,
      values: [id, isCustomers, comment.created_at],
    });
    await also?.(tx, portOut);
  });
}
