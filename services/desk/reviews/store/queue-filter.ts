import { UNDER_REVIEW } from "../../../domain/order/rules/status-facts.ts";
import type { BoundValues } from "../../../platform/db/recordset.ts";
import { readSearchTerm } from "../../orders/search-term.ts";
import { endsIn } from "../../orders/store/order-filter.ts";

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
export const OPEN_CASES = `reviews.cases c
  join orders.porting_orders o on o.id = c.order_id
  left join accounts.accounts a on a.id = c.account_id
  where c.state = 'open' and o.status in (${STATUSES}) and o.review_attempt = c.attempt`;

/** Nobody has a valid claim. */
export const FREE = "(c.claimed_until is null or c.claimed_until <= $1)";

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
export function filterConditions(filter: QueueFilter, bind: Bind): string {
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
