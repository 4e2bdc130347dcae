import { queryRows, type Queryable } from "../../platform/db/transaction.ts";
import { retryAt } from "../document-check/document-queue.ts";
import type { TakenCheck, TakeOptions } from "../document-check/store.ts";
import type { Scan } from "./scan-queue.ts";

/** A document that is to be scanned, and that a process has taken. */
export type TakenScan = Omit<TakenCheck, "request_id" | "traceparent">;

interface MadeScan {
  readonly scan: Scan;
  readonly now: Date;
}

function columnsOf(tries: number, { scan, now }: MadeScan) {
  const isOpen = scan.kind === "unavailable";
  return {
    state: scan.kind === "unavailable" ? "waiting" : scan.kind,
    signature: scan.kind === "infected" ? scan.signature : null,
    due_at: isOpen ? retryAt({ tries }, now) : null,
    scanned_at: isOpen ? null : now,
  };
}

/** Stores the scan that belongs to a document's check; where the scanner was unavailable, another is due. */
export async function recordScan(tx: Queryable, check: TakenCheck, made: MadeScan): Promise<void> {
  const { state, signature, due_at, scanned_at } = columnsOf(1, made);
  await queryRows(tx, {
    name: "document-scan-record",
    text: `insert into reviews.document_scans (document_id, order_id, account_id, attempt, slug, requested_at,
        state, signature, due_at, scanned_at, tries)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 1)
      on conflict (document_id) do update set state = excluded.state, signature = excluded.signature,
        due_at = excluded.due_at, scanned_at = excluded.scanned_at
      where document_scans.state = 'waiting'`,
    values: [
      check.document_id,
      check.order_id,
      check.account_id,
      check.attempt,
      check.slug,
      check.requested_at,
      state,
      signature,
      due_at,
      scanned_at,
    ],
  });
}

const QUEUE = `insert into reviews.document_scans
    (document_id, order_id, account_id, attempt, slug, requested_at, state, due_at)
  select d.id, d.order_id, d.account_id, o.review_attempt, r.slug, $1, 'waiting', $1
  from orders.porting_orders o
  join orders.requirements r on r.order_id = o.id
  join orders.documents d on d.id = r.document_id`;

/** Queues those of an order's documents that were never scanned, such as a letter that was signed here. */
export async function queueScans(tx: Queryable, orderId: string, now: Date): Promise<void> {
  await queryRows(tx, {
    name: "document-scan-queue",
    text: `${QUEUE} where o.id = $2 on conflict do nothing`,
    values: [now, orderId],
  });
}

/** Queues those documents of open cases that were uploaded before there was a scanner. */
export async function queueScansOfOpenCases(db: Queryable, now: Date): Promise<void> {
  await queryRows(db, {
    text: `${QUEUE} join reviews.cases c on c.order_id = o.id and c.attempt = o.review_attempt
      where c.state = 'open' on conflict do nothing`,
    values: [now],
  });
}

/** The next document, taken until the lease ends; null where none is due. */
export async function takeScan(db: Queryable, options: TakeOptions): Promise<TakenScan | null> {
  const [row] = await queryRows<TakenScan>(db, {
    name: "document-scan-take",
    text: `update reviews.document_scans set due_at = $2, tries = tries + 1
      where document_id = (
        select document_id from reviews.document_scans
        where due_at <= $1 and account_id <> all ($4::uuid[])
        order by array_position($3::uuid[], account_id) nulls first, due_at limit 1 for update skip locked)
      returning document_id, order_id, account_id, attempt, slug, requested_at, tries`,
    values: [options.now, options.leaseUntil, options.served, options.busy],
  });
  return row ?? null;
}

/** Stores a scan; false where another process has taken the document since. */
export async function finishScan(
  tx: Queryable,
  taken: TakenScan,
  made: MadeScan,
): Promise<boolean> {
  const { state, signature, due_at, scanned_at } = columnsOf(taken.tries, made);
  const rows = await queryRows(tx, {
    name: "document-scan-finish",
    text: `update reviews.document_scans set state = $3, signature = $4, due_at = $5, scanned_at = $6
      where document_id = $1 and tries = $2 and state = 'waiting' returning document_id`,
    values: [taken.document_id, taken.tries, state, signature, due_at, scanned_at],
  });
  return rows.length === 1;
}
