import { boundValues } from "../../../platform/db/recordset.ts";
import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import type { Keyset } from "../../../platform/http/paging.ts";
import type { Person } from "../../operators/store/persons.ts";
import { OPEN_CASES, filterConditions, type QueueFilter } from "./queue-filter.ts";

/** The cursor is the order of a case. */
export interface QueueScan extends Keyset {
  readonly now: Date;
}

export interface QueueList {
  readonly scan: QueueScan;
  readonly filter: QueueFilter;
}

export interface QueuedCase {
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
  readonly claimed_by: Person | null;
}

const COLUMNS = `c.order_id, json_build_object('id', a.id, 'name', a.name) as account, o.country_code, o.number_type,
  o.losing_carrier, o.customer_reference,
  (select count(*) from orders.order_numbers n where n.order_id = o.id) as numbers_count,
  c.submitted_at, c.due_at, c.attempt, c.changed_slugs,
  (select min(m.created_at) from orders.comments m
    where m.order_id = o.id and m.author_type = 'customer' and not exists (select from orders.comments r
      where r.order_id = o.id and r.author_type = 'ops' and r.id > m.id)) as unanswered_comment_at,
  case when c.claimed_until > $1 then
    (select json_build_object('id', p.id, 'name', p.name) from accounts.operators p where p.id = c.claimed_by)
  end as claimed_by`;

/** Open cases of orders that are still under review, by the time of submission. */
export async function listOpenCases(
  db: Queryable,
  { scan, filter }: QueueList,
): Promise<QueuedCase[]> {
  const { values, bind } = boundValues(scan.now, scan.fetch);
  const conditions = filterConditions(filter, bind);
  const beyond =
    scan.cursorId === null
      ? ""
      : `and (c.submitted_at, c.order_id) ${scan.comparison} (select k.submitted_at, k.order_id
          from reviews.cases k where k.order_id = ${bind(scan.cursorId)} order by k.attempt desc limit 1)`;
  return queryRows<QueuedCase>(db, {
    text: `select ${COLUMNS} from ${OPEN_CASES} ${conditions} ${beyond}
      order by c.submitted_at ${scan.direction}, c.order_id ${scan.direction} limit $2`,
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
