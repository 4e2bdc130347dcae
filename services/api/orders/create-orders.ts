import type { MessageContext } from "../../messages/bus/outgoing.ts";
import { OpenTransaction, type Database, type Queryable } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { gatherCalls } from "../../platform/gather-calls.ts";
import type { CreationRefusal } from "./creation-refusal.ts";
import type { OtherHolders } from "./plan-orders.ts";
import type { OrderQuotas } from "./quota-claims.ts";
import { createOrders } from "./store/create-orders.ts";
import type { OrderBatch } from "./store/new-order-rows.ts";

/**
 * Stores the orders of a request; null, or the numbers that other accounts hold if the plan of the orders does not know
 * that and nothing was stored.
 * @throws `validation_failed` (already_active per number), `number_in_active_order`, `quota_exceeded`
 */
export type CreateOrders = (db: Database, batch: OrderBatch) => Promise<OtherHolders | null>;

const MAX_REQUESTS = 32;
/** These are worth a statement beside one that runs, so that Postgres does not wait while the next are being planned. */
const ENOUGH_REQUESTS = 8;
/** A request with more numbers runs by itself, so that no other request waits for it. */
const MAX_NUMBERS = 50;

/** Small concurrent requests share one statement and one commit, unless they have a transaction; each gets its own result. */
export function createOrderCreation(
  pool: Queryable,
  context: MessageContext,
  quotas: OrderQuotas,
): CreateOrders {
  const create = async (db: Queryable, batches: readonly OrderBatch[]) => {
    const refusals = await createOrders({ db, context, quotas }, batches);
    return (batch: OrderBatch) => unknownHolders(refusals.get(batch));
  };
  const together = gatherCalls({
    run: (batches: readonly OrderBatch[]) => create(pool, batches),
    most: MAX_REQUESTS,
    enough: ENOUGH_REQUESTS,
  });
  return async (db, batch) => {
    const isAlone = db instanceof OpenTransaction || batch.requested.length > MAX_NUMBERS;
    return isAlone ? (await create(db, [batch]))(batch) : together(batch);
  };
}

function unknownHolders(refusal: CreationRefusal | undefined): OtherHolders | null {
  if (refusal instanceof AppError) throw refusal;
  return refusal ?? null;
}
