import { AppError } from "../../platform/errors.ts";
import { messageBytes, type OutgoingMessage } from "../../platform/outbox/outbox.ts";
import { isFromCarriers } from "../topic-names.ts";
import { TOPICS, type Topic } from "../topics.ts";

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
