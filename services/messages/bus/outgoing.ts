import type { Queryable } from "../../platform/db/transaction.ts";
import type { OutgoingMessage } from "../../platform/outbox/outbox.ts";
import { nextTraceparent } from "../../platform/traceparent.ts";
import type { Codec } from "../codec.ts";
import type { Sparse } from "../sparse.ts";
import type { MessageOf, TopicName } from "../topics.ts";

export type { OutgoingMessage };

/** What it takes to write a message for a topic of this deployment. */
export interface MessageContext {
  readonly codec: Pick<Codec, "encode">;
  readonly topicPrefix: string;
  /** Of the message that this one follows from; a trace of its own where there is none. */
  readonly traceparent?: string | undefined;
}

/** A transaction that may write messages. */
export interface MessageWriter extends MessageContext {
  readonly tx: Queryable;
}

/** What it takes to write what follows from a message that was received. */
export function following<C extends MessageContext>(
  context: C,
  { headers }: { readonly headers: Readonly<Record<string, string>> },
): C {
  return { ...context, traceparent: headers["traceparent"] };
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
    ...(context.traceparent === undefined
      ? {}
      : { headers: { traceparent: nextTraceparent(context.traceparent) } }),
  };
}
