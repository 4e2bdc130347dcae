import type { Queryable } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { createMessageSeal, type MessageSeal } from "../../platform/outbox/message-seal.ts";
import { messageBytes, type OutgoingMessage } from "../../platform/outbox/outbox.ts";
import type { SecretBox } from "../../platform/secret-box.ts";
import { nextTraceparent } from "../../platform/traceparent.ts";
import { runningSpan } from "../../platform/tracing/tracing.ts";
import type { Codec, Sparse } from "../codec.ts";
import {
  isFromCarriers,
  SECRET_TOPICS,
  TOPICS,
  type MessageOf,
  type Topic,
  type TopicName,
} from "../topics.ts";

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
interface KeyedMessage<T extends TopicName> {
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

/** The seal of this deployment's secret topics. */
export function sealFor(topicPrefix: string, box: SecretBox | null): MessageSeal {
  const isSecret = (topic: string): boolean =>
    topic.startsWith(topicPrefix) && SECRET_TOPICS.has(topic.slice(topicPrefix.length));
  return createMessageSeal(box, isSecret);
}

/** Of a batch, for what it has beside its messages. */
const MARGIN_BYTES = 2_048;

const LIMITS: ReadonlyMap<string, number> = new Map(
  Object.entries<Topic>(TOPICS).flatMap(([name, { maxMessageBytes: most }]) =>
    most === undefined ? [] : [[name, most - MARGIN_BYTES] as const],
  ),
);

/** How many bytes the messages of a batch may have; null: as many as any topic takes. `topic` has the prefix. */
export function batchLimit(topicPrefix: string): (topic: string) => number | null {
  return (topic) => LIMITS.get(topic.slice(topicPrefix.length)) ?? null;
}

/** What a producer must know of topics with this prefix. */
export function sendRules(topicPrefix: string) {
  return {
    batchLimit: batchLimit(topicPrefix),
    isForeign: (topic: string) => isFromCarriers(topic.slice(topicPrefix.length)),
  };
}

/** So that none enters the outbox that cannot be sent. @throws `rule_broken` */
export function requireSendable(topicPrefix: string, message: OutgoingMessage): void {
  const limit = batchLimit(topicPrefix)(message.topic);
  if (limit === null || messageBytes(message) <= limit) return;
  throw new AppError("rule_broken", `A message for ${message.topic} exceeds ${limit} bytes.`);
}
