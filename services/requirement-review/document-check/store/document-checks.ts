import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";

/** A request to check a document. */
export interface CheckRequest {
  /** The id of the request's message. */
  readonly request_id: string;
  readonly order_id: string;
  readonly account_id: string;
  readonly attempt: number;
  readonly slug: string;
  readonly document_id: string;
  /** As its message has it; one that a release before published by a fast clock is ahead of the database's. */
  readonly requested_at: Date;
  /** Of the request's message; null if it had none. */
  readonly traceparent: string | null;
}

/** A request that a process has taken; `tries`, this one included, shows whether it still has it. */
export interface TakenCheck extends CheckRequest {
  readonly tries: number;
}

/** Queues a document, in the transaction that handles the request's message. */
export async function queueCheck(tx: Queryable, check: CheckRequest): Promise<void> {
  await queryRows(tx, {
    name: "document-check-queue",
    text: `insert into reviews.document_checks
        (request_id, order_id, account_id, attempt, slug, document_id, requested_at, due_at, traceparent)
      values ($1, $2, $3, $4, $5, $6, $7, least($7::timestamptz, now()), $8) on conflict (request_id) do nothing`,
    values: [
      check.request_id,
      check.order_id,
      check.account_id,
      check.attempt,
      check.slug,
      check.document_id,
      check.requested_at,
      check.traceparent,
    ],
  });
}

export interface TakeOptions {
  readonly now: Date;
  /** From when on other processes may take it, if it is not finished. */
  readonly leaseUntil: Date;
  /** Recently served accounts, the latest last: others go first, so that one account's files do not delay another's. */
  readonly served: readonly string[];
  /** Accounts whose documents are left alone for now. */
  readonly busy: readonly string[];
}

/** The next document, taken until the lease ends; null where none is due. */
export async function takeCheck(db: Queryable, options: TakeOptions): Promise<TakenCheck | null> {
  const [row] = await queryRows<TakenCheck>(db, {
    name: "document-check-take",
    text: `update reviews.document_checks set due_at = $2, tries = tries + 1
      where request_id = (
        select request_id from reviews.document_checks
        where due_at <= $1 and account_id <> all ($4::uuid[])
        order by array_position($3::uuid[], account_id) nulls first, due_at limit 1 for update skip locked)
      returning request_id, order_id, account_id, attempt, slug, document_id, requested_at,
        traceparent, tries`,
    values: [options.now, options.leaseUntil, options.served, options.busy],
  });
  return row ?? null;
}

/** Dequeues a document; false where another process has taken it since, whose result is used. */
export async function finishCheck(tx: Queryable, check: TakenCheck): Promise<boolean> {
  const rows = await queryRows(tx, {
    name: "document-check-finish",
    text: `delete from reviews.document_checks where request_id = $1 and tries = $2
      returning request_id`,
    values: [check.request_id, check.tries],
  });
  return rows.length === 1;
}

/** Returns a document to the queue, due again at `dueAt`. */
export async function postponeCheck(db: Queryable, check: TakenCheck, dueAt: Date): Promise<void> {
  await queryRows(db, {
    name: "document-check-postpone",
    text: "update reviews.document_checks set due_at = $3 where request_id = $1 and tries = $2",
    values: [check.request_id, check.tries, dueAt],
  });
}
