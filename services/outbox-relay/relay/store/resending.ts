import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";

const READ = `select resend_since as since from messaging.relay_state`;

/** From when on everything without a place is to be sent again; null where the slot has missed nothing. */
export async function readResendSince(db: Queryable): Promise<Date | null> {
  const [row] = await queryRows<{ since: Date | null }>(db, { name: "outbox-resend", text: READ });
  return row?.since ?? null;
}

export async function endResending(db: Queryable): Promise<void> {
  await queryRows(db, { text: "update messaging.relay_state set resend_since = null" });
}
