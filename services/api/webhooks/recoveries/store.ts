import { statusesThatEnd } from "../../../domain/webhook/rules/delivery.ts";
import { hasStatus } from "../../../domain/webhook/store/delivery-status.ts";
import {
  RECOVERABLE_COLUMNS,
  recoverableOf,
} from "../../../domain/webhook/store/delivery-targets.ts";
import { findEndpoint } from "../../../domain/webhook/store/endpoints.ts";
import { cancelWaiting } from "../../../domain/webhook/store/settle-waiting.ts";
import { idRange } from "../../../platform/db/id-range.ts";
import { ANSWER_MARGIN_MS } from "../../../platform/db/pool.ts";
import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import { AppError } from "../../../platform/errors.ts";
import { newId } from "../../../platform/ids.ts";

export const RECOVERY_MODES = ["failed", "missing", "all"] as const;

type RecoveryMode = (typeof RECOVERY_MODES)[number];

interface RecoveryRequest {
  readonly endpointId: string;
  readonly mode: RecoveryMode;
  /** Earliest creation time of the events, inclusive. */
  readonly since: Date;
  /** Latest creation time, exclusive. */
  readonly until: Date;
  /** Counts the events without sending them. */
  readonly dryRun: boolean;
}

interface Recovery {
  readonly id: string;
  readonly status: "running" | "completed" | "cancelled";
  readonly total: number;
  readonly queued: number;
  readonly succeeded: number;
  readonly failed: number;
}

interface RecoveryContext {
  readonly accountId: string;
  readonly now: Date;
}

/** A recovery stores a delivery for each of its events. */
interface RecoveryQuota {
  /** How many events an account may recover in 24 hours; 0: any number. */
  readonly maxEvents: number;
}

const DAY_MS = 86_400_000;
/** Counting the events of a long range takes time. */
const LONG_COUNT_MS = 60_000;
const ALLOW_LONG_COUNT = `set local statement_timeout = ${LONG_COUNT_MS}`;

const START = `with page as materialized (
    select ${RECOVERABLE_COLUMNS} from events.log l
    where l.account_id = $2 and l.created_at >= $5 and l.created_at < $6
  ), ${recoverableOf({ events: "page", endpointId: "$3::uuid", mode: "$4::text" })}
  insert into webhooks.recoveries (id, account_id, endpoint_id, mode, since, until, status, total, position,
    last_seq, created_at, completed_at)
  select $1::uuid, $2, $3::uuid, $4::text, $5, $6, $7, count(*), coalesce(min(r.seq) - 1, 0),
    coalesce(max(r.seq), 0), $8::timestamptz, case when $7 = 'running' then null else $8::timestamptz end
  from recoverable r
  on conflict (endpoint_id) where status = 'running' do nothing
  returning id, status, total, queued, 0 as succeeded, 0 as failed`;

/** What was cancelled counts as far as it came, a dry run not at all. */
const RECOVERED = `select coalesce(sum(case status when 'running' then total else queued end), 0) as events
  from webhooks.recoveries where account_id = $1 and created_at > $2`;

/** @throws `quota_exceeded` if the account's recoveries of a day, this one included, have more events */
async function requireRoom(
  tx: Queryable,
  { accountId, now }: RecoveryContext,
  { maxEvents, total }: RecoveryQuota & { readonly total: number },
): Promise<void> {
  if (maxEvents === 0) return;
  const since = new Date(now.getTime() - DAY_MS);
  const [row] = await queryRows<{ events: number }>(tx, {
    name: "recovery-quota",
    text: RECOVERED,
    values: [accountId, since],
  });
  const events = row?.events ?? 0;
  if (events <= maxEvents) return;
  const [most, before] = [maxEvents, events - total].map((one) => one.toLocaleString("en"));
  const detail = `An account may recover at most ${most} events in 24 hours, and this range has ${total.toLocaleString("en")} beside ${before} recovered before: shorten it, or recover the rest later.`;
  throw new AppError("quota_exceeded", detail);
}

/**
 * Starts a recovery of an endpoint's events by mode; the sender sends them, oldest first. Call within a transaction.
 * @throws `not_found`; `endpoint_paused`, unless it is a dry run; `invalid_state` if another recovery is running;
 *   `quota_exceeded`
 */
export async function startRecovery(
  tx: Queryable,
  context: RecoveryContext & RecoveryQuota,
  { endpointId, mode, since, until, dryRun }: RecoveryRequest,
): Promise<Recovery> {
  const { accountId, now, maxEvents } = context;
  const endpoint = await findEndpoint(tx, { accountId, id: endpointId });
  if (!endpoint.active && !dryRun) {
    throw new AppError("endpoint_paused", "The webhook endpoint is paused. Set it active first.");
  }
  await queryRows(tx, { text: ALLOW_LONG_COUNT });
  const status = dryRun ? "completed" : "running";
  const [recovery] = await queryRows<Recovery>(tx, {
    name: "recovery-start",
    query_timeout: LONG_COUNT_MS + ANSWER_MARGIN_MS,
    text: START,
    values: [newId(now), accountId, endpointId, mode, since, until, status, now],
  });
  if (recovery === undefined) {
    throw new AppError("invalid_state", "Another recovery of this webhook endpoint is running.");
  }
  if (!dryRun) await requireRoom(tx, context, { maxEvents, total: recovery.total });
  return recovery;
}

const FIND = `select id, endpoint_id, status, total, queued, created_at, completed_at from webhooks.recoveries
  where account_id = $1 and id = $2`;

/** How far clocks may differ: the ids of deliveries come from the database, a recovery's times from processes. */
const CLOCK_SKEW_MS = 60_000;

const COUNT = `select count(*) filter (where ${hasStatus("d", statusesThatEnd("received"))}) as succeeded,
    count(*) filter (where ${hasStatus("d", statusesThatEnd("given_up"))}) as failed
  from webhooks.deliveries d
  where d.account_id = $1 and d.endpoint_id = $2 and d.id > $3 and d.id < $4
    and d.created_at > $5 and d.created_at < coalesce($6::timestamptz, 'infinity') and d.cause_id = $7`;

interface RecoveryRow {
  readonly id: string;
  readonly endpoint_id: string;
  readonly status: Recovery["status"];
  readonly total: number;
  readonly queued: number;
  readonly created_at: Date;
  readonly completed_at: Date | null;
}

/** @throws `not_found` */
export async function findRecovery(
  db: Queryable,
  accountId: string,
  id: string,
): Promise<Recovery> {
  const { endpoint_id, created_at, completed_at, ...row } = await findRow(db, accountId, id);
  const after = new Date(created_at.getTime() - CLOCK_SKEW_MS);
  const before =
    completed_at === null ? undefined : new Date(completed_at.getTime() + CLOCK_SKEW_MS);
  const ids = idRange(
    { direction: "asc", cursorId: null, fetch: 1 },
    { created_after: after, created_before: before },
  );
  const [counted] = await queryRows<Pick<Recovery, "succeeded" | "failed">>(db, {
    name: "recovery-count",
    text: COUNT,
    values: [accountId, endpoint_id, ids.above, ids.below, after, before, id],
  });
  return { ...row, succeeded: counted?.succeeded ?? 0, failed: counted?.failed ?? 0 };
}

async function findRow(db: Queryable, accountId: string, id: string): Promise<RecoveryRow> {
  const [row] = await queryRows<RecoveryRow>(db, {
    name: "recovery-find",
    text: FIND,
    values: [accountId, id],
  });
  if (row === undefined) throw new AppError("not_found", "There is no such webhook recovery.");
  return row;
}

export async function hasRecovery(db: Queryable, accountId: string, id: string): Promise<boolean> {
  const rows = await queryRows(db, { name: "recovery-find", text: FIND, values: [accountId, id] });
  return rows.length === 1;
}

const CANCEL = `update webhooks.recoveries set status = 'cancelled', completed_at = $3
  where account_id = $1 and id = $2 and status = 'running' returning endpoint_id`;

/**
 * Cancels a recovery and its waiting deliveries; one that is over stays as it is. Of many deliveries a sender cancels the
 * remaining ones. Call within a transaction: the second statement then sees the deliveries that a step created just
 * before.
 * @throws `not_found`
 */
export async function cancelRecovery(
  tx: Queryable,
  { accountId, now }: RecoveryContext,
  id: string,
): Promise<void> {
  const [cancelled] = await queryRows<{ endpoint_id: string }>(tx, {
    name: "recovery-cancel",
    text: CANCEL,
    values: [accountId, id, now],
  });
  if (cancelled !== undefined) {
    await cancelWaiting(tx, { id, endpointId: cancelled.endpoint_id }, now);
    return;
  }
  await findRow(tx, accountId, id);
}
