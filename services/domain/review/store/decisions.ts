import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import type { DeskDecision } from "../rules/desk-decision.ts";

/** A decision under the id by which its message names it. */
export interface StoredDecision extends DeskDecision {
  readonly id: string;
  readonly decided_at: Date;
}

/** Stores a decision; the caller holds the lock of its case. */
export async function storeDecision(tx: Queryable, made: StoredDecision): Promise<void> {
  await queryRows(tx, {
    name: "decision-store",
    text: `insert into reviews.decisions (id, order_id, attempt, operator_id, decisions, confirm, decided_at)
      values ($1, $2, $3, $4, $5::jsonb, $6, $7)`,
    values: [
      made.id,
      made.order_id,
      made.attempt,
      made.operator_id,
      JSON.stringify(made.decisions),
      made.confirm,
      made.decided_at,
    ],
  });
}

export async function findDecision(db: Queryable, id: string): Promise<StoredDecision | null> {
  const [row] = await queryRows<StoredDecision>(db, {
    name: "decision-find",
    text: `select id, order_id, attempt, operator_id, decisions, confirm, decided_at
      from reviews.decisions where id = $1`,
    values: [id],
  });
  return row ?? null;
}
