import type { RetryStep } from "./retry-schedule.ts";
import { TOPICS, type RetryTopicName, type StaticTopicName, type TopicName } from "./topics.ts";

const RETRY_PREFIX = "porting.webhook-retry.";

export const STATIC_TOPIC_NAMES = Object.keys(TOPICS) as readonly StaticTopicName[];

/** The delay topic of a backoff step: `1m` → `porting.webhook-retry.1m`. */
export function retryTopic(step: RetryStep): RetryTopicName {
  return `${RETRY_PREFIX}${step.name}`;
}

/** The delay topics of a schedule, each once: equal steps share theirs. */
export function retryTopics(steps: readonly RetryStep[]): readonly RetryTopicName[] {
  return [...new Set(steps.map(retryTopic))];
}

export function isRetryTopic(topic: string): topic is RetryTopicName {
  return topic.startsWith(RETRY_PREFIX);
}

/** `porting.events` → `porting.events.dead-letter`. */
export function deadLetterTopic<T extends TopicName>(topic: T): `${T}.dead-letter` {
  return `${topic}.dead-letter`;
}

/** The registry's subject for a topic's values; `topic` with the prefix of the deployment. */
export function subjectOf(topic: string): string {
  return `${topic}-value`;
}
