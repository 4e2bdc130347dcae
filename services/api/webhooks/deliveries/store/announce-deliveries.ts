import { outgoing, type MessageContext } from "../../../../messages/bus/outgoing.ts";
import type { Queryable } from "../../../../platform/db/transaction.ts";
import { newId } from "../../../../platform/ids.ts";
import { writeOutbox } from "../../../../platform/outbox/outbox.ts";

/** The account that creates deliveries, and when. */
export interface ResendContext {
  readonly messages: MessageContext;
  readonly accountId: string;
  readonly now: Date;
}

/** A delivery that is due immediately. */
export interface Waiting {
  readonly id: string;
  readonly endpoint_key: string;
}

/** Notifies the sender through the outbox, so that an accepted request does not depend on Kafka being available. */
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
