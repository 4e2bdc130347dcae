import type { OrderBatch } from "./store/new-order-rows.ts";
import { createOrders, type OrderQuotas } from "./store/create-orders.ts";
import type { MessageContext } from "../../messages/bus/outgoing.ts";
import type { JoiningPool } from "../../platform/db/joining-pool.ts";
import { gatherCalls } from "../../platform/gather-calls.ts";

/**
 * Stores the orders of a request.
 * @throws `validation_failed` (already_active per number), `number_in_active_order`, `quota_exceeded`
 */
export type CreateOrders = (batch: OrderBatch) => Promise<void>;

const MAX_REQUESTS = 32;
/** A request with more numbers runs by itself, so that no other request waits for it. */
const MAX_NUMBERS = 50;

/** Small concurrent requests share one statement and one commit; each gets its own result. */
export function createOrderCreation(
  pool: JoiningPool,
  context: MessageContext,
  quotas: OrderQuotas,
): CreateOrders {
  const store = { db: pool, context, quotas };
  const create = async (batches: readonly OrderBatch[]) => {
    const refusals = await createOrders(store, batches);
    return (batch: OrderBatch): void => {
      const refusal = refusals.get(batch);
      if (refusal !== undefined) throw refusal;
    };
  };
  const together = gatherCalls({ run: create, most: MAX_REQUESTS });
  return async (batch) => {
    const isAlone = pool.isJoined || batch.requested.length > MAX_NUMBERS;
    if (isAlone) (await create([batch]))(batch);
    else await together(batch);
  };
}
