import type { RetryStep } from "./retry-schedule.ts";
import { TOPICS, type RetryTopicName, type StaticTopicName, type TopicName } from "./topics.ts";

const RETRY_PREFIX = "porting.webhook-retry.";

export const STATIC_TOPIC_NAMES = Object.keys(TOPICS) as readonly StaticTopicName[];

/** The delay topic of a backoff step: `1m` → `porting.webhook-retry.1m`. */
export function retryTopic(step: RetryStep): RetryTopicName {
  return `${RETRY_PREFIX}${step.name}`;
}

/** The distinct delay topics of a schedule; equal steps share one. */
export function retryTopics(steps: readonly RetryStep[]): readonly RetryTopicName[] {
  return [...new Set(steps.map(retryTopic))];
}

export function isRetryTopic(topic: string): topic is RetryTopicName {
  return topic.startsWith(RETRY_PREFIX);
}

/** Whether carriers read or write the topic. */
export function isCarrierTopic(topic: TopicName): boolean {
  return topic.startsWith("carriers.");
}

const FROM_CARRIERS: ReadonlySet<string> = new Set<StaticTopicName>([
  "carriers.updates",
  "carriers.port-outs",
  "carriers.calls",
]);

/** Whether carriers write the topic; all others we write ourselves. `topic` is without the deployment's prefix. */
export function isFromCarriers(topic: string): boolean {
  return FROM_CARRIERS.has(topic);
}

/** `porting.events` → `porting.events.dead-letter`. */
export function deadLetterTopic<T extends TopicName>(topic: T): `${T}.dead-letter` {
  return `${topic}.dead-letter`;
}

/** The registry subject of a topic's values; `topic` includes the deployment's prefix. */
export function subjectOf(topic: string): string {
  return `${topic}-value`;
}
