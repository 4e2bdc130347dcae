import { queryRows, type Queryable } from "../../platform/db/transaction.ts";
import { settleWaiting } from "../../domain/webhook/store/settle-waiting.ts";

/** An endpoint is paused automatically when all three conditions hold. */
export interface AutoPauseRule {
  /** No success for this long, counted from its creation or its last resumption at the earliest. */
  readonly afterMs: number;
  /** At least this many deliveries failed permanently since the last success. */
  readonly failedDeliveries: number;
  /** The least time between the first and the last of them: one bad hour does not pause a quiet endpoint. */
  readonly spanMs: number;
}

const PAUSE = `with failing as materialized (
    select e.id, h.failed_deliveries, greatest(h.last_success_at, e.resumed_at, e.created_at) as since
    from webhooks.endpoint_health h join webhooks.endpoints e on e.id = h.endpoint_id
    where h.failed_deliveries > 0 and h.failed_deliveries >= $2
      and h.last_failed_at - h.first_failed_at >= $3 * interval '1 millisecond'
      and greatest(h.last_success_at, e.resumed_at, e.created_at) <= $1::timestamptz - $4 * interval '1 millisecond'
      and e.active and e.deleted_at is null
    for update of e skip locked
  ), changed as (
    update webhooks.endpoints e set active = false, paused_by = 'system', updated_at = $1,
      paused_reason = 'No delivery succeeded since ' || to_char(f.since at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
        || '; ' || f.failed_deliveries || ' failed.'
    from failing f where e.id = f.id returning e.id, e.account_id, e.url
  ), skipped as (${settleWaiting("endpoint_paused", "$1")})
  select id, account_id, url from changed`;

/** Pauses endpoints that have failed for a long time; their waiting deliveries are skipped. */
export async function pauseFailingEndpoints(
  db: Queryable,
  rule: AutoPauseRule,
  now: Date,
): Promise<{ id: string; account_id: string; url: string }[]> {
  return queryRows(db, {
    name: "endpoints-auto-pause",
    text: PAUSE,
    values: [now, rule.failedDeliveries, rule.spanMs, rule.afterMs],
  });
}
