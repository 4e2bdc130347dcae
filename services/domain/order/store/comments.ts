import {
  cutPageById,
  rowsOfPage,
  type CutRow,
  type IdRange,
} from "../../../platform/db/id-range.ts";
import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import { AppError } from "../../../platform/errors.ts";
import type { PageRows } from "../../../platform/http/paging.ts";
import { newId } from "../../../platform/ids.ts";
import type { Comment, Effect } from "../rules/effects.ts";
import type { MessageWriter } from "../../../messages/bus/outgoing.ts";
import type { OrderDecision } from "../rules/order-decision.ts";

export interface CommentRow extends Comment {
  readonly created_at: Date;
}

/** Customers do not see internal comments and timeline entries. */
export type Audience = "customer" | "desk";

interface NewComment extends Comment {
  readonly internal: boolean;
}

const NOUNS = { order: "An order", port_out: "A port-out" } as const;

/** What comments are on. */
export interface Commented {
  readonly subject: keyof typeof NOUNS;
  readonly id: string;
}

/** How many comments of its customer an order or a port-out may have: nothing ever removes one. */
export const MAX_COMMENTS = 1_000;

/**
 * After a customer's comment, in its transaction, which holds the lock of what it is on.
 * @throws `quota_exceeded` if that has more of them than it may
 */
export async function requireCommentRoom(tx: Queryable, { subject, id }: Commented): Promise<void> {
  const [found] = await queryRows<{ written: number }>(tx, {
    name: `comment-room-${subject}`,
    text: `select count(*)::integer as written from orders.comments
      where ${subject}_id = $1 and author_type = 'customer'`,
    values: [id],
  });
  if ((found?.written ?? 0) <= MAX_COMMENTS) return;
  const detail = `${NOUNS[subject]} may have at most ${MAX_COMMENTS.toLocaleString("en")} comments of its customer, and this one has them.`;
  throw new AppError("quota_exceeded", detail);
}

/** Writes a comment of an account's order or port-out. */
export async function insertComment(
  tx: Queryable,
  { subject, id: subjectId, accountId }: Commented & { readonly accountId: string },
  { id, author_type, author_id, body, created_at, internal }: CommentRow & NewComment,
): Promise<void> {
  await queryRows(tx, {
    name: `comment-write-${subject}`,
    text: `insert into orders.comments (id, ${subject}_id, account_id, author_type, author_id, body, created_at, internal)
      values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    values: [id, subjectId, accountId, author_type, author_id, body, created_at, internal],
  });
}

/** Writes the comments of a decision. */
export async function writeComments(
  writer: MessageWriter,
  { order, effects }: OrderDecision,
  now: Date,
): Promise<void> {
  for (const effect of effects) {
    const comment = commentOf(effect, now);
    if (comment === null) continue;
    const { id, author_type } = comment;
    const on = { subject: "order", id: order.id, accountId: order.account_id } as const;
    await insertComment(writer.tx, on, { ...comment, created_at: now });
    if (author_type === "customer") await awaitAnswer(writer.tx, order.id, { id, now });
    else if (author_type === "ops") await endWaiting(writer.tx, order.id, null);
  }
}

/** The desk has to answer a customer's comment. */
async function awaitAnswer(
  tx: Queryable,
  orderId: string,
  { id, now }: { readonly id: string; readonly now: Date },
): Promise<void> {
  await queryRows(tx, {
    name: "comment-waits",
    text: `insert into orders.waiting_comments (order_id, since, last_id) values ($1, $2, $3)
      on conflict (order_id) do update set last_id = excluded.last_id`,
    values: [orderId, now, id],
  });
}

/** No comment of the order waits for an answer any more; with `lastId` unless there is a later one. */
export async function endWaiting(
  tx: Queryable,
  orderId: string,
  lastId: string | null,
): Promise<boolean> {
  const gone = await queryRows(tx, {
    name: "comment-waits-no-more",
    text: `delete from orders.waiting_comments
      where order_id = $1 and ($2::uuid is null or last_id <= $2) returning order_id`,
    values: [orderId, lastId],
  });
  return gone.length > 0;
}

function commentOf(effect: Effect, now: Date): NewComment | null {
  if (effect.effect === "comment") return { ...effect.comment, internal: false };
  if (effect.effect !== "system_comment") return null;
  const { body, internal } = effect;
  return { id: newId(now), author_type: "system", author_id: null, body, internal };
}

/** Since when the order's customer waits for an answer of the desk; null where nothing waits. */
export async function waitingSince(db: Queryable, orderId: string): Promise<Date | null> {
  const [row] = await queryRows<{ since: Date }>(db, {
    name: "comment-waiting",
    text: "select since from orders.waiting_comments where order_id = $1",
    values: [orderId],
  });
  return row?.since ?? null;
}

export interface CommentList extends Commented {
  readonly audience: Audience;
  readonly range: IdRange;
}

/** The comments in a range of ids, in scan order, as far as they fit a page. */
export async function listComments(
  db: Queryable,
  { subject, id, audience, range }: CommentList,
): Promise<PageRows<CommentRow>> {
  const page = `select id, author_type, author_id, body, created_at from orders.comments
    where ${subject}_id = $1 and id > $2 and id < $3 and ($5 or not internal)
    order by id ${range.direction} limit $4`;
  const rows = await queryRows<CommentRow & CutRow>(db, {
    name: `comment-list-${subject}-${range.direction}`,
    text: cutPageById(page, range.direction, "octet_length(p.body)"),
    values: [id, range.above, range.below, range.fetch, audience === "desk"],
  });
  return rowsOfPage(rows, range.fetch);
}

/** Whether the audience sees the comment; a cursor must be the id of one. */
export async function hasComment(
  db: Queryable,
  { subject, id, audience }: Omit<CommentList, "range">,
  commentId: string,
): Promise<boolean> {
  const text = `select id from orders.comments
    where ${subject}_id = $1 and id = $2 and ($3 or not internal)`;
  const values = [id, commentId, audience === "desk"];
  return (await queryRows(db, { text, values })).length === 1;
}

/** A comment as the APIs return it. */
export function presentComment({ id, author_type, body, created_at }: CommentRow) {
  return { id, body, author_type, created_at: created_at.toISOString() };
}
