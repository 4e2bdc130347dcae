import { queryRows, type Queryable } from "../../platform/db/transaction.ts";

/** What a worker asks a queue for. */
export interface TakeOptions {
  readonly now: Date;
  /** From when on other processes may take it, if it is not finished. */
  readonly leaseUntil: Date;
  /** Recently served accounts, the latest last: others go first, so that one account's files do not delay another's. */
  readonly served: readonly string[];
  /** Accounts whose documents are left alone for now. */
  readonly busy: readonly string[];
}

/** What was taken of a queue, null where nothing was; `more`: others are due, of accounts that are left alone too. */
export interface Taken<T> {
  readonly taken: T | null;
  readonly more: boolean;
}

/** A row of a statement that says `more` also where it takes nothing, and whose other columns are null then. */
export type OrNothing<T> = (T | { readonly [N in keyof T]: null }) & { readonly more: boolean };

/** Whether more rows of a queue were due at `$1` than the `taken`, an expression, of at most `most`. */
export function moreThan(queue: string, taken: string, most: number): string {
  return `(select count(*) from (select from ${queue} where due_at <= $1 limit ${most + 1}) due) > ${taken}`;
}

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

const TAKE = `with next as materialized (
    select request_id from reviews.document_checks
    where due_at <= $1 and account_id <> all ($4::uuid[])
    order by array_position($3::uuid[], account_id) nulls first, due_at limit 1 for update skip locked
  ), taken as (
    update reviews.document_checks c set due_at = $2, tries = c.tries + 1
    from next where c.request_id = next.request_id
    returning c.request_id, c.order_id, c.account_id, c.attempt, c.slug, c.document_id, c.requested_at,
      c.traceparent, c.tries
  )
  select t.*, ${moreThan("reviews.document_checks", "(select count(*) from next)", 1)} as more
  from (values (true)) always (one) left join taken t on true`;

/** The next document, taken until the lease ends. */
export async function takeCheck(db: Queryable, options: TakeOptions): Promise<Taken<TakenCheck>> {
  const [row] = await queryRows<OrNothing<TakenCheck>>(db, {
    name: "document-check-take",
    text: TAKE,
    values: [options.now, options.leaseUntil, options.served, options.busy],
  });
  const isTaken = row !== undefined && row.request_id !== null;
  return { taken: isTaken ? row : null, more: row?.more === true };
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
