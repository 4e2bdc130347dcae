import type { OrderStatus } from "../../domain/order/rules/order.ts";
import { queryRows, type Queryable } from "../../platform/db/transaction.ts";
import type { HealthStatus } from "../health/rules/health-thresholds.ts";

/** A case that changed, or whose claim lapsed; instants as Postgres writes them in JSON. */
export interface ChangedCase {
  readonly order_id: string;
  readonly attempt: number;
  readonly state: "open" | "decided" | "withdrawn";
  readonly claimed_by: { readonly id: string; readonly name: string } | null;
  readonly due_at: string;
  readonly changed_at: string;
}

export interface ChangedOrder {
  readonly id: string;
  readonly account_id: string;
  readonly status: OrderStatus;
  /** The newest entry of its timeline. */
  readonly entry_id: string;
}

export interface RecentChanges {
  readonly cases: readonly ChangedCase[];
  readonly orders: readonly ChangedOrder[];
  /** Cases that became overdue. */
  readonly overdue: number;
  readonly health: { readonly minute: string; readonly status: HealthStatus } | null;
}

interface RecentSpan {
  /** Claims that lapsed and cases that became overdue after this instant and until `now`. */
  readonly since: Date;
  readonly now: Date;
  /** Cases that changed within the last so many seconds. */
  readonly overlapSeconds: number;
  /** Timeline entries with greater ids are new. */
  readonly entriesAbove: string;
  /** At most so many cases, and orders of so many timeline entries, the newest. */
  readonly most: number;
}

const RECENT = `with changed as (
    (select c.order_id, c.attempt from reviews.cases c
      where c.changed_at > now() - make_interval(secs => $3) order by c.changed_at desc limit $5)
    union
    (select c.order_id, c.attempt from reviews.cases c
      where c.state = 'open' and c.claimed_until > $1 and c.claimed_until <= $2 limit $5)
  ), entries as (
    select t.order_id, t.id from orders.timeline t where t.id > $4 order by t.id desc limit $5
  ), moved as (
    select distinct on (e.order_id) e.order_id, e.id from entries e order by e.order_id, e.id desc
  )
  select jsonb_build_object(
    'cases', coalesce((select jsonb_agg(jsonb_build_object('order_id', c.order_id, 'attempt', c.attempt,
        'state', c.state, 'due_at', c.due_at, 'changed_at', c.changed_at,
        'claimed_by', case when c.state = 'open' and c.claimed_until > $2 then
          (select jsonb_build_object('id', o.id, 'name', o.name)
            from accounts.operators o where o.id = c.claimed_by) end) order by c.changed_at)
      from changed join reviews.cases c using (order_id, attempt)), '[]'),
    'orders', coalesce((select jsonb_agg(jsonb_build_object('id', o.id, 'account_id', o.account_id,
        'status', o.status, 'entry_id', m.id) order by m.id)
      from moved m join orders.porting_orders o on o.id = m.order_id), '[]'),
    'overdue', (select count(*) from reviews.cases c
      where c.state = 'open' and c.due_at > $1 and c.due_at <= $2),
    'health', (select jsonb_build_object('minute', h.minute, 'status', h.status)
      from messaging.health_samples h where h.status is not null order by h.minute desc limit 1)
  ) as recent`;

/** What changed lately, by one statement over indexes. */
export async function readRecentChanges(db: Queryable, span: RecentSpan): Promise<RecentChanges> {
  const [row] = await queryRows<{ recent: RecentChanges }>(db, {
    name: "desk-recent-changes",
    text: RECENT,
    values: [span.since, span.now, span.overlapSeconds, span.entriesAbove, span.most],
  });
  return row?.recent ?? { cases: [], orders: [], overdue: 0, health: null };
}
