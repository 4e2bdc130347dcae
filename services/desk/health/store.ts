import { queryRows, type Queryable } from "../../platform/db/transaction.ts";
import type { HealthStatus } from "./rules/health-thresholds.ts";

/** Values by measure, such as `consumer_lag order-lifecycle`. */
export type Measures = Readonly<Record<string, number>>;

export interface HealthSample {
  readonly minute: Date;
  readonly measures: Measures;
}

/** Whether the minute is still to be measured: then it is the caller who does, and no other process. */
export async function claimMinute(db: Queryable, minute: Date): Promise<boolean> {
  const rows = await queryRows(db, {
    name: "health-claim-minute",
    text: `insert into messaging.health_samples (minute) values ($1) on conflict do nothing returning minute`,
    values: [minute],
  });
  return rows.length === 1;
}

interface MeasuredMinute extends HealthSample {
  readonly status: HealthStatus;
}

/** Records what was measured, and deletes the samples from before `retainFrom`. */
export async function storeSample(
  db: Queryable,
  { minute, measures, status }: MeasuredMinute,
  retainFrom: Date,
): Promise<void> {
  await queryRows(db, {
    name: "health-store-sample",
    text: `with old as (delete from messaging.health_samples where minute < $4)
      update messaging.health_samples set measures = $2, status = $3 where minute = $1`,
    values: [minute, JSON.stringify(measures), status, retainFrom],
  });
}

/** The newest sample that is complete; null without one. */
export async function newestSample(db: Queryable): Promise<HealthSample | null> {
  const [row] = await queryRows<HealthSample>(db, {
    name: "health-newest-sample",
    text: `select minute, measures from messaging.health_samples
      where measures is not null order by minute desc limit 1`,
  });
  return row ?? null;
}

/** Oldest first. */
export async function listSamples(db: Queryable, since: Date): Promise<HealthSample[]> {
  return queryRows<HealthSample>(db, {
    name: "health-samples",
    text: `select minute, measures from messaging.health_samples
      where minute > $1 and measures is not null order by minute`,
    values: [since],
  });
}

/** The part of the service's health that is in the database; instants as Postgres writes them in JSON. */
export interface StoredHealth {
  readonly outbox_depth: number;
  readonly outbox_oldest_at: string | null;
  /** Null without a slot, and on a standby. */
  readonly outbox_log_bytes: number | null;
  readonly dead_letters: number;
  readonly oldest_delivery: {
    readonly delivery_id: string;
    readonly account: { readonly id: string; readonly name: string };
    readonly url: string;
    readonly created_at: string;
  } | null;
  /** Those that have said something, and those for which an order waits. */
  readonly providers: readonly StoredProvider[];
}

export interface StoredProvider {
  readonly provider: string;
  readonly last_word_at: string | null;
  readonly porting_order_id: string | null;
  /** Since when the oldest order waits for its acknowledgement. */
  readonly waiting_since: string | null;
}

const NOTHING: StoredHealth = {
  outbox_depth: 0,
  outbox_oldest_at: null,
  outbox_log_bytes: null,
  dead_letters: 0,
  oldest_delivery: null,
  providers: [],
};

export async function readStoredHealth(db: Queryable): Promise<StoredHealth> {
  const [row] = await queryRows<{ health: StoredHealth }>(db, {
    name: "desk-stored-health",
    text: `select messaging.stored_health() as health`,
  });
  return row?.health ?? NOTHING;
}
