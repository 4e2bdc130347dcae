import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import { decisionsOf, type CaseRecord, type DeskDecision } from "../rules/desk-decision.ts";
import type { CaseKey } from "./cases.ts";

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

/** The decisions that only the case records, made by a desk that did not yet give them ids. */
export async function listDecisionsWithoutId(
  db: Queryable,
  { orderId, attempt }: CaseKey,
): Promise<DeskDecision[]> {
  const [row] = await queryRows<CaseRecord & { readonly stored: readonly Date[] }>(db, {
    name: "decisions-without-id",
    text: `select c.order_id, c.attempt, c.state, c.decisions, c.decided_at, c.decided_by,
        array(select d.decided_at from reviews.decisions d
          where d.order_id = c.order_id and d.attempt = c.attempt) as stored
      from reviews.cases c where c.order_id = $1 and c.attempt = $2`,
    values: [orderId, attempt],
  });
  if (row === undefined) return [];
  const stored = new Set(row.stored.map((at) => at.getTime()));
  return decisionsOf(row).filter(({ at }) => !stored.has(at.getTime()));
}
