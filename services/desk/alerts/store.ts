import { queryRows, type Queryable } from "../../platform/db/transaction.ts";
import { hasDuplicate } from "../orders/store/duplicates.ts";
import type { ALERT_KINDS } from "./answers.ts";

interface Alert {
  readonly kind: (typeof ALERT_KINDS)[number];
  readonly order_id: string | null;
  readonly port_out_id: string | null;
  readonly account: { readonly id: string; readonly name: string };
  readonly customer_reference: string;
  readonly has_case: boolean;
  readonly since: Date;
}

const MOST = 50;
/** Of the orders of everybody, the newest: each is asked whose it is. */
const MOST_READ = 1_000;

/** So long everybody sees what nobody has a case of: that numbers left although that was rejected, comments on port-outs. */
const DAYS_FOR_EVERYBODY = 7;

/** `$1` is the operator, `$2` now. */
const ALERTS = `with mine as materialized (
    select c.* from reviews.cases c join orders.porting_orders o on o.id = c.order_id
    where c.state = 'open' and c.claimed_until > $2 and c.claimed_by = $1 and o.review_attempt = c.attempt
  ), found as (
    select 'assigned' as kind, order_id, (handover->>'at')::timestamptz as since from mine
    where handover ? 'seen_at' and handover->>'seen_at' is null
    union all
    select 'overdue', order_id, due_at from mine where due_at < $2
    union all
    select 'duplicate', order_id, submitted_at from mine where ${hasDuplicate("mine", "order_id")}
    union all
    select 'comment', w.order_id, w.since
    from (select * from orders.waiting_comments order by order_id desc limit ${MOST_READ}) w
    where ${isOf("w.order_id")}
    union all
    select 'carrier', o.id, (o.attention->>'raised_at')::timestamptz
    from (select id, attention from orders.porting_orders where attention is not null and deleted_at is null
      order by id desc limit ${MOST_READ}) o
    where ${isOf("o.id")}
  )
  select f.kind, f.order_id, null::uuid as port_out_id, json_build_object('id', a.id, 'name', a.name) as account,
    o.customer_reference,
    exists (select from reviews.cases c where c.order_id = f.order_id and c.state = 'open') as has_case, f.since
  from found f join orders.porting_orders o on o.id = f.order_id join accounts.accounts a on a.id = o.account_id
  where o.deleted_at is null
  union all
  select 'port_out', null, p.id, json_build_object('id', a.id, 'name', a.name), '', false, p.updated_at
  from orders.port_outs p join accounts.accounts a on a.id = p.account_id
  where p.status = 'ported_out' and p.decision ->> 'code' is not null
    and p.updated_at > $2::timestamptz - interval '${DAYS_FOR_EVERYBODY} days'
  union all
  select 'comment', null, p.id, json_build_object('id', a.id, 'name', a.name), '', false, p.unanswered_comment_at
  from orders.port_outs p join accounts.accounts a on a.id = p.account_id
  where p.unanswered_comment_at > $2::timestamptz - interval '${DAYS_FOR_EVERYBODY} days'
  order by since desc limit ${MOST}`;

/** Whether the operator has claimed the order's latest case, or decided it. */
function isOf(orderId: string): string {
  return `(select c.decided_by = $1 or (c.claimed_by = $1 and c.claimed_until > $2)
    from reviews.cases c where c.order_id = ${orderId} order by c.attempt desc limit 1)`;
}

/** What concerns an operator, the latest first. */
export async function listAlerts(
  db: Queryable,
  { operatorId, now }: { readonly operatorId: string; readonly now: Date },
): Promise<Alert[]> {
  return queryRows<Alert>(db, { name: "desk-alerts", text: ALERTS, values: [operatorId, now] });
}
