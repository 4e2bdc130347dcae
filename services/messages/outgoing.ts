import type { OutgoingMessage } from "../platform/outbox/outbox.ts";
import type { Codec } from "./codec.ts";
import type { Sparse } from "./sparse.ts";
import type { MessageOf, TopicName } from "./topics.ts";

export type { OutgoingMessage } from "../platform/outbox/outbox.ts";

/** What it takes to write a message for a topic of this deployment. */
export interface MessageContext {
  readonly codec: Pick<Codec, "encode">;
  readonly topicPrefix: string;
}

/** A message that is to go on a topic; messages with one `key` stay in order. */
export interface KeyedMessage<T extends TopicName> {
  readonly key: string;
  readonly messageId: string;
  readonly message: Sparse<MessageOf<T>>;
}

/** A message as the outbox or a producer takes it: encoded, keyed, on the deployment's topic. */
export function outgoing<T extends TopicName>(
  context: MessageContext,
  topic: T,
  { key, messageId, message }: KeyedMessage<T>,
): OutgoingMessage {
  return {
    messageId,
    topic: context.topicPrefix + topic,
    key: Buffer.from(key),
    value: context.codec.encode(topic, message),
  };
}
