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

/** A message as the outbox or a producer takes it: encoded, keyed, on the deployment's topic. */
export function outgoing<T extends TopicName>(
  context: MessageContext,
  topic: T,
  message: Sparse<MessageOf<T>>,
  address: { readonly key: string; readonly messageId: string },
): OutgoingMessage {
  return {
    messageId: address.messageId,
    topic: context.topicPrefix + topic,
    key: Buffer.from(address.key),
    value: context.codec.encode(topic, message),
  };
}
