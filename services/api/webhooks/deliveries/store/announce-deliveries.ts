import { outgoing, type MessageContext } from "../../../../messages/bus/outgoing.ts";
import type { Queryable } from "../../../../platform/db/transaction.ts";
import { newId } from "../../../../platform/ids.ts";
import { writeOutbox } from "../../../../platform/outbox/outbox.ts";

/** Who makes deliveries, and when. */
export interface ResendContext {
  readonly messages: MessageContext;
  readonly accountId: string;
  readonly now: Date;
}

/** A delivery that is due at once. */
export interface Waiting {
  readonly id: string;
  readonly endpoint_key: string;
}

/** Through the outbox: whoever is answered 202 is not at the mercy of Kafka. */
export async function announceDeliveries(
  tx: Queryable,
  { messages, now }: ResendContext,
  waiting: readonly Waiting[],
): Promise<void> {
  const timers = waiting.map(({ id, endpoint_key }) => {
    const message = { endpoint_key, delivery_ids: [id] };
    const address = { key: endpoint_key, messageId: newId(now) };
    return outgoing(messages, "porting.webhook-attempts", { ...address, message });
  });
  await writeOutbox(tx, timers);
}
