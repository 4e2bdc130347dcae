import type { Queryable } from "../../platform/db/transaction.ts";
import type { MessageSeal } from "../../platform/outbox/message-seal.ts";
import type { OutgoingMessage } from "../../platform/outbox/outbox.ts";
import { nextTraceparent } from "../../platform/traceparent.ts";
import { runningSpan } from "../../platform/tracing/current-span.ts";
import { requireSendable } from "./message-limits.ts";
import type { Codec } from "../codec.ts";
import type { Sparse } from "../sparse.ts";
import type { MessageOf, TopicName } from "../topics.ts";

export type { OutgoingMessage };

/** What is needed to write a message for a topic of this deployment. */
export interface MessageContext {
  readonly codec: Pick<Codec, "encode">;
  readonly topicPrefix: string;
  /** Seals the values of secret topics; a context without it makes messages for a producer alone. */
  readonly seal?: MessageSeal | undefined;
  /** The traceparent of the message that caused this one; without it, that of the current span, or a new trace. */
  readonly traceparent?: string | undefined;
}

/** A transaction that may write messages. */
export interface MessageWriter extends MessageContext {
  readonly tx: Queryable;
}

/** The context for messages that result from a received one: they continue its trace. */
export function following<C extends MessageContext>(
  context: C,
  { headers }: { readonly headers: Readonly<Record<string, string>> },
): C {
  return { ...context, traceparent: headers["traceparent"] };
}

/** A message for a topic; messages with the same `key` stay in order. */
export interface KeyedMessage<T extends TopicName> {
  readonly key: string;
  readonly messageId: string;
  readonly message: Sparse<MessageOf<T>>;
}

/**
 * A message for the outbox, or for a producer where its topic is not secret: encoded, keyed, with the deployment's topic
 * name.
 */
export function outgoing<T extends TopicName>(
  context: MessageContext,
  topic: T,
  { key, messageId, message }: KeyedMessage<T>,
): OutgoingMessage {
  const name = { topic: context.topicPrefix + topic, messageId };
  const value = context.codec.encode(topic, message);
  const keyed = { ...name, key: Buffer.from(key) };
  requireSendable(context.topicPrefix, { ...keyed, value });
  return {
    ...keyed,
    ...(context.seal?.seal(value, name) ?? { value }),
    ...(context.traceparent === undefined && runningSpan() === null
      ? {}
      : { headers: { traceparent: nextTraceparent(context.traceparent) } }),
  };
}
