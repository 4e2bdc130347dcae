import type { AttemptLogEntry, DeliveryStatus } from "../../domain/webhook/rules/delivery.ts";
import type { AttemptOutcome } from "../attempt/attempt.ts";
import {
  recordset,
  recordsetValue,
  type Columns,
  type RowOf,
} from "../../platform/db/recordset.ts";
import { queryRows, type Queryable } from "../../platform/db/transaction.ts";
import { withEntry } from "../../domain/webhook/store/deliveries.ts";
import { by, isOpen, statusAfter } from "../../domain/webhook/store/delivery-status.ts";
import { isCancelled, type ClaimedDelivery } from "./claim-deliveries.ts";

/** The result of an attempt, under the claim that it was made with. */
export interface AttemptResult {
  readonly delivery: ClaimedDelivery;
  readonly outcome: AttemptOutcome;
  readonly endedAt: Date;
  readonly entry: AttemptLogEntry;
}

export interface RecordedResult {
  readonly id: string;
  readonly status: DeliveryStatus;
}

const RESULT = {
  id: "uuid",
  claim_no: "integer",
  outcome: "text",
  due_at: "timestamptz",
  ended_at: "timestamptz",
  entry: "jsonb",
} as const satisfies Columns;

function resultRow({ delivery, outcome, endedAt, entry }: AttemptResult): RowOf<typeof RESULT> {
  return {
    id: delivery.id,
    claim_no: delivery.claim_no,
    outcome: outcome.trigger,
    due_at: outcome.trigger === "attempt_failed" ? outcome.dueAt : null,
    ended_at: endedAt,
    entry,
  };
}

/**
 * Idempotently writes results whose claims are still valid, along with the endpoints' health. A failure at an endpoint that
 * was deleted or paused meanwhile, even if it has been resumed, or in a cancelled recovery, ends the delivery with the status
 * that the waiting ones got. A delivery whose retry by hand fails again was counted already, unless the endpoint has
 * succeeded or been resumed since.
 */
const RECORD = `with input as materialized (
    select u.* from ${recordset("$1", RESULT)}
  ), judged as materialized (
    select i.*, d.created_at, d.endpoint_id, d.failed_at, greatest(p.last_success_at, e.resumed_at) as reset_at,
      i.outcome = ${by("attempt_succeeded")} as succeeded,
      case when i.outcome = ${by("attempt_succeeded")} then i.outcome
        when e.deleted_at is not null then ${by("endpoint_deleted")}
        when not e.active or e.resumed_at > d.claimed_at then ${by("endpoint_paused")}
        when ${isCancelled("d")} then ${by("recovery_cancelled")}
        else i.outcome end as trigger
    from input i
    join webhooks.deliveries d on d.id = i.id and d.created_at = messaging.time_of(i.id)
      and d.claim_no = i.claim_no and d.lease_until is not null and ${isOpen("d")}
    left join webhooks.endpoints e on e.id = d.endpoint_id
    left join webhooks.endpoint_health p on p.endpoint_id = d.endpoint_id
    for update of d
  ), recorded as (
    update webhooks.deliveries d set status = ${statusAfter("d.status", "j.trigger")}, lease_until = null,
      priority = case when j.trigger = ${by("attempt_failed")} then greatest(d.priority, 1) else d.priority end,
      next_attempt_at = case when j.trigger = ${by("attempt_failed")} then j.due_at end,
      completed_at = case when j.trigger = ${by("attempt_failed")} then null else j.ended_at end,
      failed_at = case when j.trigger = ${by("last_attempt_failed")} then j.ended_at else d.failed_at end,
      attempt_log = ${withEntry("d.attempt_log", "j.entry")}
    from judged j where d.id = j.id and d.created_at = j.created_at
    returning d.id, d.status
  ), successes as (
    select endpoint_id, max(ended_at) as at from judged where succeeded group by endpoint_id
  ), counted as (
    select j.endpoint_id, j.succeeded, j.ended_at, s.at as succeeded_at, s.at is null or j.ended_at > s.at as is_after,
      j.trigger = ${by("last_attempt_failed")} and (j.failed_at is null or j.failed_at <= greatest(s.at, j.reset_at)) as is_new
    from judged j left join successes s using (endpoint_id) where j.endpoint_id is not null
  ), tallied as (
    select endpoint_id, succeeded_at, max(ended_at) filter (where not succeeded) as failed_at,
      count(*) filter (where not succeeded and is_after) as attempts,
      min(ended_at) filter (where not succeeded and is_after) as failing_since,
      count(*) filter (where is_new and is_after) as failed,
      min(ended_at) filter (where is_new and is_after) as first_failed_at,
      max(ended_at) filter (where is_new and is_after) as last_failed_at
    from counted group by endpoint_id, succeeded_at
  ), health as (
    insert into webhooks.endpoint_health as p (endpoint_id, last_success_at, last_failure_at,
      consecutive_failures, failing_since, failed_deliveries, first_failed_at, last_failed_at)
    select t.endpoint_id, t.succeeded_at, t.failed_at, t.attempts, t.failing_since, t.failed, t.first_failed_at,
      t.last_failed_at
    from tallied t order by t.endpoint_id
    on conflict (endpoint_id) do update set
      last_success_at = greatest(p.last_success_at, excluded.last_success_at),
      last_failure_at = greatest(p.last_failure_at, excluded.last_failure_at),
      consecutive_failures = excluded.consecutive_failures
        + case when excluded.last_success_at is null then p.consecutive_failures else 0 end,
      failing_since = case when excluded.last_success_at is null
        then least(p.failing_since, excluded.failing_since) else excluded.failing_since end,
      failed_deliveries = excluded.failed_deliveries
        + case when excluded.last_success_at is null then p.failed_deliveries else 0 end,
      first_failed_at = case when excluded.last_success_at is null
        then least(p.first_failed_at, excluded.first_failed_at) else excluded.first_failed_at end,
      last_failed_at = case when excluded.last_success_at is null
        then greatest(p.last_failed_at, excluded.last_failed_at) else excluded.last_failed_at end
  )
  select id, status from recorded`;

/** Records a batch; returns nothing for results whose claim was lost. */
export async function recordResults(
  db: Queryable,
  results: readonly AttemptResult[],
): Promise<RecordedResult[]> {
  return queryRows<RecordedResult>(db, {
    name: "deliveries-record",
    text: RECORD,
    values: [recordsetValue(RESULT, results.map(resultRow))],
  });
}
