import type { Pool } from "pg";
import { eventMessage } from "../../../../services/domain/event/rules/new-event.ts";
import { readConfig } from "../../../../services/event-log/config.ts";
import { openBus, type Bus } from "../../../../services/messages/bus/bus.ts";
import type { MessageContext } from "../../../../services/messages/bus/outgoing.ts";
import { inTransaction } from "../../../../services/platform/db/transaction.ts";
import { newId } from "../../../../services/platform/ids.ts";
import { createLogger } from "../../../../services/platform/logger.ts";
import { writeOutbox } from "../../../../services/platform/outbox/outbox.ts";
import { buildEvent } from "../../../support/orders/event-factory.ts";
import type { ProductPlace } from "../../../support/product/product.ts";
import { adminVariables, TEST_REGISTRY_READER } from "../../../support/stack/kafka-access.ts";

export interface WriterPlan {
  readonly pool: Pool;
  readonly messages: MessageContext;
  readonly accountId: string;
  /** Concurrent writers, and the total number of events. */
  readonly writers: number;
  readonly events: number;
  /** The longest pause between a transaction's write and its commit. */
  readonly pauseMs: number;
  readonly random: () => number;
}

const MOST_OF_A_TRANSACTION = 10;

/** Each writer commits events of its own order in small batches. Returns the ids of each order, in sequence. */
export async function writeEvents(
  plan: WriterPlan,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const perWriter = Math.ceil(plan.events / plan.writers);
  const orders = await Promise.all(
    Array.from({ length: plan.writers }, async () => {
      const orderId = newId(new Date());
      return [orderId, await writeOrder(plan, orderId, perWriter)] as const;
    }),
  );
  return new Map(orders);
}

async function writeOrder(plan: WriterPlan, orderId: string, events: number): Promise<string[]> {
  const { pool, messages, accountId, random, pauseMs } = plan;
  const ids: string[] = [];
  while (ids.length < events) {
    const at = new Date();
    const most = Math.min(MOST_OF_A_TRANSACTION, events - ids.length);
    const batch = Array.from({ length: 1 + Math.floor(random() * most) }, (_, n) =>
      buildEvent("porting_order.created", {
        id: newId(at),
        account_id: accountId,
        order_id: orderId,
        sequence_key: orderId,
        order_sequence: ids.length + n + 1,
        created_at: at,
      }),
    );
    const rows = batch.map((event) => eventMessage(messages, event));
    await inTransaction(pool, async (tx) => {
      await writeOutbox(tx, rows);
      await new Promise((resolve) => setTimeout(resolve, random() * pauseMs));
    });
    ids.push(...batch.map(({ id }) => id));
  }
  return ids;
}

/** A bus of the run's own, to write events as a service does, with so many connections. */
export function openFaultBus(
  place: ProductPlace,
  topicPrefix: string,
  connections: number,
): Promise<Bus> {
  return openBus({
    config: readConfig({
      DATABASE_URL: place.databaseUrl,
      ...adminVariables(place.kafkaBrokers),
      SCHEMA_REGISTRY_URL: place.registryUrl,
      ...TEST_REGISTRY_READER,
      TOPIC_PREFIX: topicPrefix,
      DATABASE_ROLE: "none",
      DATABASE_POOL_SIZE: String(connections),
    }),
    service: "faults",
    log: createLogger("faults", "silent"),
    signal: new AbortController().signal,
  });
}
