import type { StoredValue } from "../../platform/outbox/message-seal.ts";
import type { OutgoingMessage } from "../../platform/outbox/outbox.ts";

/** A row of the outbox; `day` names its partition, as `YYYY-MM-DD`. */
export interface OutboxMessage extends Omit<OutgoingMessage, "sealedKeyId">, StoredValue {
  readonly id: number;
  readonly day: string;
  readonly createdAt: Date;
}

/** A message, and where Kafka has it. */
export interface Place {
  readonly message: OutboxMessage;
  readonly sentTo: { readonly partition: number; readonly offset: number };
}
