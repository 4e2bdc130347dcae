import type { OrderStatus } from "../../domain/order/rules/order.ts";
import { queryRows, type Queryable } from "../../platform/db/transaction.ts";

/** From `from` until before `to`. */
export interface Span {
  readonly from: Date;
  readonly to: Date;
}

interface OperatorCases {
  readonly id: string;
  readonly name: string;
  readonly decided: number;
  readonly rejected: number;
  readonly median_seconds: number;
}

/** The cases that each operator closed; a case with a rejection in it went back to the customer. */
export async function countByOperator(db: Queryable, { from, to }: Span): Promise<OperatorCases[]> {
  return queryRows<OperatorCases>(db, {
    name: "statistics-operators",
    text: `with closed as (
        select c.decided_by, extract(epoch from c.decided_at - c.submitted_at) as seconds,
          c.decisions @> '[{"decision": "reject"}]' as is_rejected
        from reviews.cases c where c.state = 'decided' and c.decided_at >= $1 and c.decided_at < $2
      )
      select o.id, o.name, count(*)::integer as decided,
        (count(*) filter (where c.is_rejected))::integer as rejected,
        percentile_cont(0.5) within group (order by c.seconds)::double precision as median_seconds
      from closed c join accounts.operators o on o.id = c.decided_by
      group by o.id, o.name order by decided desc, o.name`,
    values: [from, to],
  });
}

interface TrendStep {
  readonly from: Date;
  readonly to: Date;
  readonly decided: number;
  readonly rejected: number;
  readonly decided_late: number;
  readonly median_seconds: number | null;
}

/** The closed cases of each step of so many days, also of those without any. */
export async function countBySteps(
  db: Queryable,
  { from, to }: Span,
  days: number,
): Promise<TrendStep[]> {
  return queryRows<TrendStep>(db, {
    name: "statistics-trend",
    text: `select s.at as "from", least(s.at + make_interval(hours => 24 * $3), $2) as "to",
        count(c.order_id)::integer as decided,
        (count(*) filter (where c.decisions @> '[{"decision": "reject"}]'))::integer as rejected,
        (count(*) filter (where c.decided_at > c.due_at))::integer as decided_late,
        percentile_cont(0.5) within group (order by extract(epoch from c.decided_at - c.submitted_at))::double precision as median_seconds
      from generate_series($1::timestamptz, $2::timestamptz - interval '1 microsecond', make_interval(hours => 24 * $3)) as s (at)
      left join reviews.cases c on c.state = 'decided' and c.decided_at >= s.at
        and c.decided_at < least(s.at + make_interval(hours => 24 * $3), $2)
      group by s.at order by s.at`,
    values: [from, to, days],
  });
}

interface FirstDecisions {
  readonly cases: number;
  readonly median_seconds: number | null;
  readonly p90_seconds: number | null;
}

/** The cases whose first decision, closing or not, was made in the span. */
export async function timeFirstDecisions(
  db: Queryable,
  { from, to }: Span,
): Promise<FirstDecisions> {
  const [row] = await queryRows<FirstDecisions>(db, {
    name: "statistics-first-decisions",
    text: `with first as (
        select extract(epoch from min(d.decided_at) - c.submitted_at) as seconds
        from reviews.decisions d join reviews.cases c using (order_id, attempt)
        where d.decided_at >= $1 and d.decided_at < $2 and not exists (
          select from reviews.decisions e
          where e.order_id = d.order_id and e.attempt = d.attempt and e.decided_at < $1)
        group by c.order_id, c.attempt, c.submitted_at
      )
      select count(*)::integer as cases,
        percentile_cont(0.5) within group (order by seconds)::double precision as median_seconds,
        percentile_cont(0.9) within group (order by seconds)::double precision as p90_seconds
      from first`,
    values: [from, to],
  });
  return row ?? { cases: 0, median_seconds: null, p90_seconds: null };
}

interface OverdueCases {
  readonly open: number;
  readonly decided_late: number;
  readonly decided: number;
}

export async function countOverdue(
  db: Queryable,
  { from, to }: Span,
  now: Date,
): Promise<OverdueCases> {
  const [row] = await queryRows<OverdueCases>(db, {
    name: "statistics-overdue",
    text: `select
        (select count(*)::integer from reviews.cases c
          where c.state = 'open' and c.due_at < $3 and c.submitted_at >= $1 and c.submitted_at < $2) as open,
        (count(*) filter (where c.decided_at > c.due_at))::integer as decided_late,
        count(*)::integer as decided
      from reviews.cases c where c.state = 'decided' and c.decided_at >= $1 and c.decided_at < $2`,
    values: [from, to, now],
  });
  return row ?? { open: 0, decided_late: 0, decided: 0 };
}

interface RejectionCount {
  readonly slug: string;
  readonly code: string | null;
  readonly count: number;
}

export async function countRejections(
  db: Queryable,
  { from, to }: Span,
): Promise<RejectionCount[]> {
  return queryRows<RejectionCount>(db, {
    name: "statistics-rejections",
    text: `select v.slug, v.code, count(*)::integer as count
      from reviews.decisions d cross join lateral
        jsonb_to_recordset(d.decisions) as v (slug text, decision text, code text)
      where d.decided_at >= $1 and d.decided_at < $2 and v.decision = 'reject'
      group by v.slug, v.code order by count desc, v.slug, v.code`,
    values: [from, to],
  });
}

interface FirstSubmissions {
  readonly orders: number;
  readonly right: number;
}

/** Of the orders whose first submission was decided in the span, those in which nothing was rejected. */
export async function countFirstTimeRight(
  db: Queryable,
  { from, to }: Span,
): Promise<FirstSubmissions> {
  const [row] = await queryRows<FirstSubmissions>(db, {
    name: "statistics-first-time-right",
    text: `select count(*)::integer as orders,
        (count(*) filter (where not c.decisions @> '[{"decision": "reject"}]'))::integer as right
      from reviews.cases c
      where c.state = 'decided' and c.attempt = 1 and c.decided_at >= $1 and c.decided_at < $2`,
    values: [from, to],
  });
  return row ?? { orders: 0, right: 0 };
}

interface StatusCount {
  readonly status: OrderStatus;
  readonly count: number;
}

/** The orders created within the bounds of an id's own time, but for deleted drafts. */
export async function countByStatus(
  db: Queryable,
  { above, below }: { readonly above: string; readonly below: string },
): Promise<StatusCount[]> {
  return queryRows<StatusCount>(db, {
    name: "statistics-orders",
    text: `select o.status, count(*)::integer as count from orders.porting_orders o
      where o.id > $1 and o.id < $2 and o.deleted_at is null group by o.status`,
    values: [above, below],
  });
}
