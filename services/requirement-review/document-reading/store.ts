import { recordset, recordsetValue, type Columns } from "../../platform/db/recordset.ts";
import { queryRows, type Queryable } from "../../platform/db/transaction.ts";
import { moreThan, type OrNothing, type Taken, type TakeOptions } from "../document-check/store.ts";
import type { DocumentReading } from "./read-document.ts";

interface ReadingKey {
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
  /** What each page states of a letter that we printed; null for an upload. */
  readonly page_texts: readonly string[] | null;
  /** The order's, in its order. */
  readonly phone_numbers: readonly string[];
}

/** What was read of a taken document; null where it cannot be read. */
export interface FinishedReading {
  readonly taken: TakenReading;
  readonly reading: DocumentReading | null;
}

/** Taken at once: a worker reads as many well within the lease. */
const MOST_TAKEN = 2;

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

/** Due documents of the next case, taken until the lease ends, and whether others are due; a null row where none is. */
const TAKE = `with next as materialized (
    select order_id, attempt from reviews.document_readings
    where due_at <= $1 and account_id <> all ($4::uuid[])
    order by array_position($3::uuid[], account_id) nulls first, due_at limit 1 for update skip locked
  ), due as materialized (
    select r.order_id, r.attempt, r.slug from reviews.document_readings r
    join next n on n.order_id = r.order_id and n.attempt = r.attempt
    where r.due_at <= $1 order by r.slug limit ${MOST_TAKEN} for update of r skip locked
  ), taken as (
    update reviews.document_readings r set due_at = $2, tries = r.tries + 1
    from due where r.order_id = due.order_id and r.attempt = due.attempt and r.slug = due.slug
    returning r.order_id, r.attempt, r.slug, r.account_id, r.document_id, r.requested_at, r.tries
  )
  select t.*, d.page_texts,
    ${moreThan("reviews.document_readings", "(select count(*) from due)", MOST_TAKEN)} as more,
    array(select n.phone_number from orders.order_numbers n where n.order_id = t.order_id
      order by n.position) as phone_numbers
  from (values (true)) always (one)
  left join taken t on true
  left join orders.documents d on d.id = t.document_id`;

/** The next documents, all of one case. */
export async function takeReadings(
  db: Queryable,
  options: TakeOptions,
): Promise<Taken<readonly TakenReading[]>> {
  const rows = await queryRows<OrNothing<TakenReading>>(db, {
    name: "document-reading-take",
    text: TAKE,
    values: [options.now, options.leaseUntil, options.served, options.busy],
  });
  const taken = rows.filter((row): row is TakenReading & typeof row => row.slug !== null);
  return { taken: taken.length === 0 ? null : taken, more: rows.some(({ more }) => more) };
}

const FINISHED = {
  slug: "text",
  tries: "integer",
  pages: "integer",
  found: "jsonb",
} as const satisfies Columns;

/** Stores what was read in a case, apart from documents that another process has taken since. */
export async function finishReadings(
  db: Queryable,
  { order_id, attempt }: ReadingKey,
  finished: readonly FinishedReading[],
): Promise<void> {
  const rows = finished.map(({ taken: { slug, tries }, reading }) => {
    return { slug, tries, pages: reading?.pages ?? null, found: reading?.found ?? [] };
  });
  await queryRows(db, {
    name: "document-reading-finish",
    text: `update reviews.document_readings r set due_at = null, pages = u.pages, found = u.found
      from ${recordset("$3", FINISHED)}
      where r.order_id = $1 and r.attempt = $2 and r.slug = u.slug and r.tries = u.tries and r.due_at is not null`,
    values: [order_id, attempt, recordsetValue(FINISHED, rows)],
  });
}

const POSTPONED = {
  slug: "text",
  tries: "integer",
  due_at: "timestamptz",
} as const satisfies Columns;

interface PostponedReading {
  readonly taken: TakenReading;
  readonly dueAt: Date;
}

/** Returns documents of a case to the queue. */
export async function postponeReadings(
  db: Queryable,
  { order_id, attempt }: ReadingKey,
  postponed: readonly PostponedReading[],
): Promise<void> {
  const rows = postponed.map(({ taken: { slug, tries }, dueAt }) => {
    return { slug, tries, due_at: dueAt };
  });
  await queryRows(db, {
    name: "document-reading-postpone",
    text: `update reviews.document_readings r set due_at = u.due_at from ${recordset("$3", POSTPONED)}
      where r.order_id = $1 and r.attempt = $2 and r.slug = u.slug and r.tries = u.tries and r.due_at is not null`,
    values: [order_id, attempt, recordsetValue(POSTPONED, rows)],
  });
}
