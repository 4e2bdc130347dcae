import type { FoundValue } from "../../domain/document/rules/check-result.ts";
import type { Document } from "../../domain/document/rules/document.ts";
import { UNDER_REVIEW } from "../../domain/order/rules/status-facts.ts";
import type { CaseKey } from "../../domain/review/store/cases.ts";
import { boundValues, type BoundValues } from "../../platform/db/recordset.ts";
import { queryRows, type Queryable } from "../../platform/db/transaction.ts";
import type { Keyset } from "../../platform/http/paging.ts";
import type { Person } from "../operators/store.ts";
import { hasDuplicate } from "../orders/store/duplicates.ts";
import { endsIn, readSearchTerm } from "../orders/store/find-orders.ts";

/** Which open cases; the caller's own are those that the caller's id claimed. */
export interface QueueFilter {
  readonly country_code?: string | undefined;
  readonly number_type?: string | undefined;
  readonly provider?: string | undefined;
  readonly account_id?: string | undefined;
  readonly due_before?: Date | undefined;
  readonly overdue?: boolean | undefined;
  /** An operator's id, or `none`. */
  readonly claimed_by?: string | undefined;
  readonly q?: string | undefined;
}

/** Not bound, so that the planner sees that the index of the orders under review serves. */
const STATUSES = UNDER_REVIEW.map((status) => `'${status}'`).join(", ");

/** Open cases (c) of orders (o) that are still under review, with their accounts (a); `$1` is now. */
const OPEN_CASES = `reviews.cases c
  join orders.porting_orders o on o.id = c.order_id
  left join accounts.accounts a on a.id = c.account_id
  where c.state = 'open' and o.status in (${STATUSES}) and o.review_attempt = c.attempt`;

/** Nobody has a valid claim. */
const FREE = "(c.claimed_until is null or c.claimed_until <= $1)";

type Bind = BoundValues["bind"];

/** Only given filters go into the statement, so that each can use its own index. */
const CONDITIONS = {
  country_code: (value, bind) => `o.country_code = ${bind(value)}`,
  number_type: (value, bind) => `o.number_type = ${bind(value)}`,
  provider: (value, bind) => `o.provider = ${bind(value)}`,
  account_id: (value, bind) => `c.account_id = ${bind(value)}`,
  due_before: (value, bind) => `c.due_at < ${bind(value)}::timestamptz`,
  overdue: (value, bind) => `(c.due_at < $1) = ${bind(value)}::boolean`,
  claimed_by: (value, bind) =>
    value === "none" ? FREE : `c.claimed_by = ${bind(value)} and c.claimed_until > $1`,
  q: (value, bind) => searchCondition(String(value), bind),
} as const satisfies Record<keyof QueueFilter, (value: unknown, bind: Bind) => string>;

const FILTERS = Object.keys(CONDITIONS) as (keyof QueueFilter)[];

/** The conditions of the given filters, each with its `and`. */
function filterConditions(filter: QueueFilter, bind: Bind): string {
  return FILTERS.filter((name) => filter[name] !== undefined)
    .map((name) => `and ${CONDITIONS[name](filter[name], bind)}`)
    .join(" ");
}

/**
 * Each alternative is read once, by an index of its own, and the cases are looked up in what they found; the
 * references are only those of orders under review.
 */
function searchCondition(q: string, bind: Bind): string {
  const { text, id, lastDigits } = readSearchTerm(q);
  const part = `lower(${bind(text)})`;
  const orders = [
    `select id from orders.porting_orders where status in (${STATUSES}) and customer_reference <> ''
      and strpos(lower(customer_reference), ${part}) > 0`,
    ...lastDigits.map(
      (digits) => `select order_id from orders.order_numbers where ${endsIn(bind(digits))}`,
    ),
  ];
  const either = [
    `c.order_id in (${orders.join(" union all ")})`,
    `c.account_id in (select id from accounts.accounts where strpos(lower(name), ${part}) > 0)`,
  ];
  if (id !== null) {
    const at = bind(id);
    either.push(`c.order_id = ${at}`, `c.account_id = ${at}`);
  }
  return `(${either.join(" or ")})`;
}

/** The cursor is the order of a case. */
interface QueueScan extends Keyset {
  readonly now: Date;
}

interface QueueList {
  readonly scan: QueueScan;
  readonly filter: QueueFilter;
  /** By submission unless given. */
  readonly orderBy?: "due_at" | undefined;
}

interface QueuedCase {
  readonly order_id: string;
  readonly account: { readonly id: string; readonly name: string };
  readonly country_code: string;
  readonly number_type: string;
  readonly losing_carrier: string | null;
  readonly customer_reference: string;
  readonly numbers_count: number;
  readonly submitted_at: Date;
  readonly due_at: Date;
  readonly attempt: number;
  readonly changed_slugs: readonly string[];
  readonly unanswered_comment_at: Date | null;
  readonly has_duplicate: boolean;
  readonly claimed_by: Person | null;
}

const COLUMNS = `c.order_id, json_build_object('id', a.id, 'name', a.name) as account, o.country_code, o.number_type,
  o.losing_carrier, o.customer_reference,
  (select count(*) from orders.order_numbers n where n.order_id = o.id) as numbers_count,
  c.submitted_at, c.due_at, c.attempt, c.changed_slugs,
  (select w.since from orders.waiting_comments w where w.order_id = o.id) as unanswered_comment_at,
  ${hasDuplicate("o")} as has_duplicate,
  case when c.claimed_until > $1 then
    (select json_build_object('id', p.id, 'name', p.name) from accounts.operators p where p.id = c.claimed_by)
  end as claimed_by`;

/** Open cases of orders that are still under review. */
export async function listOpenCases(
  db: Queryable,
  { scan, filter, orderBy }: QueueList,
): Promise<QueuedCase[]> {
  const key = orderBy ?? "submitted_at";
  const { values, bind } = boundValues(scan.now, scan.fetch);
  const conditions = filterConditions(filter, bind);
  const beyond =
    scan.cursorId === null
      ? ""
      : `and (c.${key}, c.order_id) ${scan.comparison} (select k.${key}, k.order_id
          from reviews.cases k where k.order_id = ${bind(scan.cursorId)} order by k.attempt desc limit 1)`;
  return queryRows<QueuedCase>(db, {
    text: `select ${COLUMNS} from ${OPEN_CASES} ${conditions} ${beyond}
      order by c.${key} ${scan.direction}, c.order_id ${scan.direction} limit $2`,
    values,
  });
}

/** The open cases of one claimant, or the free ones. */
export interface ClaimantCount {
  readonly claimed_by: string | null;
  readonly cases: number;
  readonly overdue: number;
}

export interface QueueCount {
  readonly filter: Omit<QueueFilter, "claimed_by" | "overdue">;
  readonly now: Date;
}

/** How many open cases match a filter, by claimant, so that one answer serves every operator. */
export async function countOpenCases(
  db: Queryable,
  { filter, now }: QueueCount,
): Promise<ClaimantCount[]> {
  const { values, bind } = boundValues(now);
  return queryRows<ClaimantCount>(db, {
    text: `select case when c.claimed_until > $1 then c.claimed_by end as claimed_by,
        count(*) as cases, count(*) filter (where c.due_at < $1) as overdue
      from ${OPEN_CASES} ${filterConditions(filter, bind)} group by 1`,
    values,
  });
}

interface NextClaim {
  readonly filter: QueueFilter;
  readonly operatorId: string;
  readonly now: Date;
  readonly until: Date;
}

interface ClaimedCase {
  readonly order_id: string;
  readonly attempt: number;
  readonly account_id: string;
}

/**
 * Claims the free case that has waited longest, in one statement; null where there is none. A case that another
 * transaction holds is passed over, so that two operators never get the same and neither waits.
 */
export async function claimNextCase(
  tx: Queryable,
  { filter, operatorId, now, until }: NextClaim,
): Promise<ClaimedCase | null> {
  const { values, bind } = boundValues(now, operatorId, until);
  const [claimed] = await queryRows<ClaimedCase>(tx, {
    text: `with free as materialized (
        select c.order_id, c.attempt from ${OPEN_CASES} and ${FREE} ${filterConditions(filter, bind)}
        order by c.submitted_at, c.order_id limit 1 for update of c skip locked
      )
      update reviews.cases c set claimed_by = $2, claimed_until = $3, handover = null
      from free f where c.order_id = f.order_id and c.attempt = f.attempt
      returning c.order_id, c.attempt, c.account_id`,
    values,
  });
  return claimed ?? null;
}

/** What was read from a document of a case; `found` is null until it is read. */
export interface StoredReading {
  readonly slug: string;
  readonly document_id: string;
  readonly pages: number | null;
  readonly found: readonly FoundValue[] | null;
}

/** What the virus scanner said of a document. */
export interface StoredScan {
  readonly document_id: string;
  readonly state: "waiting" | "clean" | "infected";
  readonly signature: string | null;
}

/** A document of an order, with its reading for the case and its scan; columns of what it lacks are null. */
interface CaseDocumentRow
  extends Document, Pick<StoredReading, "pages" | "found">, Pick<StoredScan, "signature"> {
  /** The requirement in which the case has it. */
  readonly read_as: string | null;
  readonly scan_state: StoredScan["state"] | null;
}

/** All documents ever sent for an order, including replaced ones, oldest first. */
export async function listCaseDocuments(
  db: Queryable,
  { orderId, attempt }: CaseKey,
): Promise<CaseDocumentRow[]> {
  return queryRows<CaseDocumentRow>(db, {
    name: "case-documents",
    text: `select d.id, d.account_id, d.order_id, d.slug, d.content_type, d.size_bytes, d.sha256, d.created_at,
        r.slug as read_as, r.pages, r.found, s.state as scan_state, s.signature
      from orders.documents d
      left join reviews.document_readings r
        on r.order_id = d.order_id and r.attempt = $2 and r.document_id = d.id
      left join reviews.document_scans s on s.document_id = d.id
      where d.order_id = $1 order by d.id`,
    values: [orderId, attempt],
  });
}

/** The scans of an order's documents. */
export async function listScans(db: Queryable, orderId: string): Promise<StoredScan[]> {
  return queryRows<StoredScan>(db, {
    name: "document-scan-list",
    text: `select s.document_id, s.state, s.signature from reviews.document_scans s
      where s.document_id in (select id from orders.documents where order_id = $1)`,
    values: [orderId],
  });
}
