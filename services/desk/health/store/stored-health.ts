import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";

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
