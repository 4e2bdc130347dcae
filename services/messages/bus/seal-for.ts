import { createMessageSeal, type MessageSeal } from "../../platform/outbox/message-seal.ts";
import type { SecretBox } from "../../platform/secret-box.ts";
import { SECRET_TOPICS } from "../topics.ts";

/** The seal of this deployment's secret topics. */
export function sealFor(topicPrefix: string, box: SecretBox | null): MessageSeal {
  const isSecret = (topic: string): boolean =>
    topic.startsWith(topicPrefix) && SECRET_TOPICS.has(topic.slice(topicPrefix.length));
  return createMessageSeal(box, isSecret);
}
