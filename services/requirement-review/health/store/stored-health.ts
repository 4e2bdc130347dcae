import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";

/** The part of the service's health that is in the database; instants as Postgres writes them in JSON. */
export interface StoredHealth {
  readonly outbox_depth: number;
  readonly outbox_oldest_at: string | null;
  readonly dead_letters: number;
  readonly oldest_delivery: { readonly delivery_id: string; readonly created_at: string } | null;
  readonly providers: readonly {
    readonly provider: string;
    readonly last_word_at: string;
    readonly porting_order_id: string | null;
  }[];
}

/** Undefined only where the function does not exist. */
export async function readStoredHealth(db: Queryable): Promise<StoredHealth | undefined> {
  const [row] = await queryRows<{ health: StoredHealth }>(db, {
    name: "desk-health",
    text: `select messaging.desk_health() as health`,
  });
  return row?.health;
}
