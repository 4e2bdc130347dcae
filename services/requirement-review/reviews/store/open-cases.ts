import { UNDER_REVIEW } from "../../../domain/order/rules/status-facts.ts";
import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import type { Keyset } from "../../../platform/http/paging/paging.ts";

export interface QueueFilter {
  readonly account_id?: string | undefined;
  readonly country_code?: string | undefined;
  readonly overdue?: boolean | undefined;
  readonly claimed_by?: string | undefined;
}

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
  readonly numbers_count: number;
  readonly submitted_at: Date;
  readonly due_at: Date;
  readonly attempt: number;
  readonly changed_slugs: readonly string[];
  readonly claimed_by: string | null;
}

/** Open cases of orders that are still under review, by the time of submission. */
export async function listOpenCases(
  db: Queryable,
  { scan, filter }: QueueList,
): Promise<QueuedCase[]> {
  return queryRows<QueuedCase>(db, {
    text: `select c.order_id, json_build_object('id', a.id, 'name', a.name) as account, o.country_code, o.number_type,
        (select count(*) from orders.order_numbers n where n.order_id = o.id) as numbers_count,
        c.submitted_at, c.due_at, c.attempt, c.changed_slugs,
        case when c.claimed_until > $2 then c.claimed_by end as claimed_by
      from reviews.cases c
        join orders.porting_orders o on o.id = c.order_id
        join accounts.accounts a on a.id = c.account_id
      where c.state = 'open' and o.status = any ($8::text[]) and o.review_attempt = c.attempt
        and ($3::uuid is null or (c.submitted_at, c.order_id) ${scan.comparison}
          (select submitted_at, order_id from reviews.cases where order_id = $3 order by attempt desc limit 1))
        and ($4::uuid is null or c.account_id = $4)
        and ($5::text is null or o.country_code = $5)
        and ($6::boolean is null or (c.due_at < $2) = $6)
        and ($7::uuid is null or (c.claimed_by = $7 and c.claimed_until > $2))
      order by c.submitted_at ${scan.direction}, c.order_id ${scan.direction} limit $1`,
    values: [
      scan.fetch,
      scan.now,
      scan.cursorId,
      filter.account_id ?? null,
      filter.country_code ?? null,
      filter.overdue ?? null,
      filter.claimed_by ?? null,
      UNDER_REVIEW,
    ],
  });
}
