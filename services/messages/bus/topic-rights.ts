import type { RetryStep } from "../retry-schedule.ts";
import {
  deadLetterTopic,
  retryTopics,
  STATIC_TOPIC_NAMES,
  type StaticTopicName,
} from "../topics.ts";
import { CALLS } from "./consumers.ts";

/** The Postgres roles, one per service with a database; the migrations create them and grant their rights. */
export const SERVICE_ROLES = [
  "porting_api",
  "porting_desk",
  "porting_requirement_review",
  "porting_order_lifecycle",
  "porting_carrier_adapter",
  "porting_webhook_sender",
  "porting_event_log",
  "porting_outbox_relay",
] as const;

export type ServiceRole = (typeof SERVICE_ROLES)[number];

/** The role of a service; null for one without a database. */
export function roleOf(service: string): ServiceRole | null {
  const name = `porting_${service.replaceAll("-", "_")}`;
  return SERVICE_ROLES.find((role) => role === name) ?? null;
}

/** The services that use Kafka; each has a user of its name. */
export const SERVICE_USERS = [
  "api",
  "desk",
  "requirement-review",
  "order-lifecycle",
  "carrier-adapter",
  "sandbox-carrier",
  "platform-carrier",
  "webhook-sender",
  "event-log",
  "outbox-relay",
] as const;

export type ServiceUser = (typeof SERVICE_USERS)[number];

/** `providers` are the users of all providers alike. */
export type Party = ServiceUser | "providers";

/** Who may write and who may read a topic. */
interface TopicRights {
  readonly write: readonly Party[];
  readonly read: readonly Party[];
}

const INTEGRATIONS = ["providers", "sandbox-carrier", "platform-carrier"] as const;

/**
 * What other services write, they write to the outbox, and outbox-relay publishes it (docs/contract/messages.md,
 * Only whom it knows).
 */
const TOPIC_RIGHTS: Readonly<Record<StaticTopicName, TopicRights>> = {
  "porting.events": {
    write: ["outbox-relay", "carrier-adapter"],
    read: ["event-log", "webhook-sender"],
  },
  "porting.review-requests": { write: ["outbox-relay"], read: ["requirement-review"] },
  "porting.review-results": { write: ["outbox-relay"], read: ["order-lifecycle"] },
  "porting.carrier-requests": { write: ["outbox-relay"], read: ["carrier-adapter"] },
  "porting.carrier-results": { write: ["outbox-relay"], read: ["order-lifecycle"] },
  "carriers.requests": { write: ["outbox-relay"], read: INTEGRATIONS },
  // The sandbox carrier finds in its updates how far it has come.
  "carriers.updates": {
    write: ["outbox-relay", ...INTEGRATIONS],
    read: ["carrier-adapter", "sandbox-carrier"],
  },
  "carriers.port-outs": {
    write: ["outbox-relay", "providers", "platform-carrier"],
    read: ["carrier-adapter"],
  },
  "carriers.calls": { write: ["outbox-relay", "providers"], read: ["carrier-adapter"] },
  "carriers.receipts": { write: ["outbox-relay"], read: INTEGRATIONS },
  // The API announces deliveries that are sent again, and tests, by the outbox.
  "porting.webhook-attempts": { write: ["outbox-relay"], read: ["webhook-sender"] },
};

const RETRY_RIGHTS: TopicRights = { write: ["webhook-sender"], read: ["webhook-sender"] };
const DEAD_LETTER_RIGHTS: TopicRights = { write: ["outbox-relay"], read: [] };

/** The rights on every topic, by its name without the deployment's prefix. */
export function topicRights(schedule: readonly RetryStep[]): ReadonlyMap<string, TopicRights> {
  const retries = retryTopics(schedule);
  return new Map<string, TopicRights>([
    ...STATIC_TOPIC_NAMES.map((topic) => [topic, TOPIC_RIGHTS[topic]] as const),
    ...retries.map((topic) => [topic, RETRY_RIGHTS] as const),
    ...[...STATIC_TOPIC_NAMES, ...retries].map(
      (topic) => [deadLetterTopic(topic), DEAD_LETTER_RIGHTS] as const,
    ),
  ]);
}

/** The consumer groups of the services, without the deployment's prefix. */
export function groupsOf(schedule: readonly RetryStep[]): ReadonlyMap<ServiceUser, string[]> {
  return new Map<ServiceUser, string[]>([
    ["event-log", ["event-log"]],
    ["requirement-review", ["requirement-review"]],
    ["order-lifecycle", ["order-lifecycle"]],
    ["carrier-adapter", ["carrier-adapter", CALLS.consumer]],
    ["sandbox-carrier", ["sandbox-carrier"]],
    ["platform-carrier", ["platform-carrier"]],
    [
      "webhook-sender",
      [
        "webhook-sender",
        "webhook-dispatch",
        ...new Set(schedule.map(({ name }) => `webhook-retry-${name}`)),
      ],
    ],
  ]);
}

/** The user of a provider's integration, apart from every service's name. */
export function providerUser(provider: string): string {
  return `provider-${provider}`;
}

/** The usual consumer group of a provider's integration, without the deployment's prefix. */
export function providerGroup(provider: string): string {
  return `${provider}-integration`;
}

/** What may follow the usual name: for programs beside the first one, and for console tools. */
const GROUP_ENDINGS = ["-1", "-2", "-3", "-4", "-console"];

/**
 * All groups that it may have. They are few: a broker keeps each name that an offset was ever committed for, so that
 * a right to all that begin so would let one login fill it.
 */
export function providerGroups(provider: string): string[] {
  const usual = providerGroup(provider);
  return [usual, ...GROUP_ENDINGS.map((ending) => usual + ending)];
}
