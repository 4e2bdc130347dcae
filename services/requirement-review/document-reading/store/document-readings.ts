import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import type { TakeOptions } from "../../document-check/store/document-checks.ts";
import type { DocumentReading } from "../read-document.ts";
import type { FoundValue } from "../rules/find-values.ts";

export interface ReadingKey {
  readonly order_id: string;
  readonly attempt: number;
}

/** A document of a case that is to be read, and that a process has taken; `tries` shows whether it still has it. */
export interface TakenReading extends ReadingKey {
  readonly slug: string;
  readonly account_id: string;
  readonly document_id: string;
  readonly requested_at: Date;
  readonly tries: number;
  /** The order's, in its order. */
  readonly phone_numbers: readonly string[];
}

/** Queues the documents of an order's case, in the transaction that opens it; a repeat changes nothing. */
export async function queueReadings(
  tx: Queryable,
  { order_id, attempt }: ReadingKey,
  requestedAt: Date,
): Promise<void> {
  await queryRows(tx, {
    name: "document-reading-queue",
    text: `insert into reviews.document_readings
        (order_id, attempt, slug, account_id, document_id, requested_at, due_at)
      select d.order_id, $2, r.slug, d.account_id, d.id, $3::timestamptz, least($3::timestamptz, now())
      from orders.requirements r join orders.documents d on d.id = r.document_id
      where r.order_id = $1 on conflict do nothing`,
    values: [order_id, attempt, requestedAt],
  });
}

/** The next document, taken until the lease ends; null where none is due. */
export async function takeReading(
  db: Queryable,
  options: TakeOptions,
): Promise<TakenReading | null> {
  const [row] = await queryRows<TakenReading>(db, {
    name: "document-reading-take",
    text: `update reviews.document_readings r set due_at = $2, tries = r.tries + 1
      from (
        select order_id, attempt, slug from reviews.document_readings
        where due_at <= $1 and account_id <> all ($4::uuid[])
        order by array_position($3::uuid[], account_id) nulls first, due_at limit 1 for update skip locked) as next
      where r.order_id = next.order_id and r.attempt = next.attempt and r.slug = next.slug
      returning r.order_id, r.attempt, r.slug, r.account_id, r.document_id, r.requested_at, r.tries,
        array(select n.phone_number from orders.order_numbers n where n.order_id = r.order_id
          order by n.position) as phone_numbers`,
    values: [options.now, options.leaseUntil, options.served, options.busy],
  });
  return row ?? null;
}

/** Stores what was read, unless another process has taken the document since; null: it cannot be read. */
export async function finishReading(
  db: Queryable,
  taken: TakenReading,
  reading: DocumentReading | null,
): Promise<void> {
  await queryRows(db, {
    name: "document-reading-finish",
    text: `update reviews.document_readings set due_at = null, pages = $5, found = $6
      where order_id = $1 and attempt = $2 and slug = $3 and tries = $4 and due_at is not null`,
    values: [
      taken.order_id,
      taken.attempt,
      taken.slug,
      taken.tries,
      reading?.pages ?? null,
      JSON.stringify(reading?.found ?? []),
    ],
  });
}

/** Returns a document to the queue, due again at `dueAt`. */
export async function postponeReading(
  db: Queryable,
  taken: TakenReading,
  dueAt: Date,
): Promise<void> {
  await queryRows(db, {
    name: "document-reading-postpone",
    text: `update reviews.document_readings set due_at = $5
      where order_id = $1 and attempt = $2 and slug = $3 and tries = $4 and due_at is not null`,
    values: [taken.order_id, taken.attempt, taken.slug, taken.tries, dueAt],
  });
}

/** What a document of a case tells; `found` is null until it is read. */
export interface StoredReading {
  readonly slug: string;
  readonly document_id: string;
  readonly pages: number | null;
  readonly found: readonly FoundValue[] | null;
}

/** The readings of a case's documents. */
export async function listReadings(
  db: Queryable,
  { order_id, attempt }: ReadingKey,
): Promise<StoredReading[]> {
  return queryRows<StoredReading>(db, {
    name: "document-reading-list",
    text: `select slug, document_id, pages, found from reviews.document_readings
      where order_id = $1 and attempt = $2`,
    values: [order_id, attempt],
  });
}
