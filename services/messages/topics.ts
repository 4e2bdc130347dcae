import type { AvroRecordSchema } from "../platform/avro/schema.ts";
import { CALL_UPDATE_SCHEMA, CALL_UPDATE_TEXT, type CallUpdate } from "./generated/call-update.ts";
import {
  CARRIER_RECEIPT_SCHEMA,
  CARRIER_RECEIPT_TEXT,
  type CarrierReceipt,
} from "./generated/carrier-receipt.ts";
import {
  CARRIER_REQUEST_SCHEMA,
  CARRIER_REQUEST_TEXT,
  type CarrierRequest,
} from "./generated/carrier-request.ts";
import {
  CARRIER_RESULT_SCHEMA,
  CARRIER_RESULT_TEXT,
  type CarrierResult,
} from "./generated/carrier-result.ts";
import {
  CARRIER_TASK_SCHEMA,
  CARRIER_TASK_TEXT,
  type CarrierTask,
} from "./generated/carrier-task.ts";
import {
  CARRIER_UPDATE_SCHEMA,
  CARRIER_UPDATE_TEXT,
  type CarrierUpdate,
} from "./generated/carrier-update.ts";
import {
  PORT_OUT_UPDATE_SCHEMA,
  PORT_OUT_UPDATE_TEXT,
  type PortOutUpdate,
} from "./generated/port-out-update.ts";
import {
  PORTING_EVENT_SCHEMA,
  PORTING_EVENT_TEXT,
  type PortingEvent,
} from "./generated/porting-event.ts";
import {
  REVIEW_REQUEST_SCHEMA,
  REVIEW_REQUEST_TEXT,
  type ReviewRequest,
} from "./generated/review-request.ts";
import {
  REVIEW_RESULT_SCHEMA,
  REVIEW_RESULT_TEXT,
  type ReviewResult,
} from "./generated/review-result.ts";
import {
  WEBHOOK_ATTEMPTS_SCHEMA,
  WEBHOOK_ATTEMPTS_TEXT,
  type WebhookAttempts,
} from "./generated/webhook-attempts.ts";
import {
  WEBHOOK_RETRY_SCHEMA,
  WEBHOOK_RETRY_TEXT,
  type WebhookRetry,
} from "./generated/webhook-retry.ts";
import type { RetryStep } from "./retry-schedule.ts";

const DAY_MS = 86_400_000;
const MIB = 1024 * 1024;

/** Kafka's retention value for a topic that is kept forever. */
const FOREVER_MS = -1;

export const DEFAULT_PARTITIONS = 6;

/**
 * What carriers send. The broker unpacks a packed batch in memory, where it may have a thousand times its size; and the
 * longest message that keeps the rules has 58 kB.
 */
const CARRIER_MAX_MESSAGE_BYTES = 64 * 1024;

/** What is fetched of a partition at a time: two batches of a carrier, which may hold thousands of records of a few bytes. */
export const CARRIER_FETCH_BYTES = 2 * CARRIER_MAX_MESSAGE_BYTES;

/** A topic's message schema, its message key, and how long the broker keeps messages. */
export interface Topic {
  readonly schema: AvroRecordSchema;
  /** The schema file's own text, which the registry has. */
  readonly text: string;
  readonly key: string;
  readonly retentionMs: number;
  /** Of a batch as a producer sends it; default: `MAX_MESSAGE_BYTES`. */
  readonly maxMessageBytes?: number;
}

interface MessageByTopic {
  "porting.events": PortingEvent;
  "porting.review-requests": ReviewRequest;
  "porting.review-results": ReviewResult;
  "porting.carrier-requests": CarrierTask;
  "porting.carrier-results": CarrierResult;
  "carriers.requests": CarrierRequest;
  "carriers.updates": CarrierUpdate;
  "carriers.port-outs": PortOutUpdate;
  "carriers.calls": CallUpdate;
  "carriers.receipts": CarrierReceipt;
  "porting.webhook-attempts": WebhookAttempts;
}

/** A topic that always exists; delay topics depend on the retry schedule. */
export type StaticTopicName = keyof MessageByTopic;
export type RetryTopicName = `porting.webhook-retry.${string}`;
/** A topic's name without the deployment's prefix. */
export type TopicName = StaticTopicName | RetryTopicName;

export type MessageOf<T extends TopicName> = T extends StaticTopicName
  ? MessageByTopic[T]
  : WebhookRetry;

export const TOPICS = {
  "porting.events": {
    schema: PORTING_EVENT_SCHEMA,
    text: PORTING_EVENT_TEXT,
    key: "sequence_key",
    retentionMs: FOREVER_MS,
  },
  "porting.review-requests": {
    schema: REVIEW_REQUEST_SCHEMA,
    text: REVIEW_REQUEST_TEXT,
    key: "order id",
    retentionMs: 7 * DAY_MS,
  },
  "porting.review-results": {
    schema: REVIEW_RESULT_SCHEMA,
    text: REVIEW_RESULT_TEXT,
    key: "order id",
    retentionMs: 7 * DAY_MS,
  },
  "porting.carrier-requests": {
    schema: CARRIER_TASK_SCHEMA,
    text: CARRIER_TASK_TEXT,
    key: "order id; forwarding and port-outs: phone number",
    retentionMs: 7 * DAY_MS,
  },
  "porting.carrier-results": {
    schema: CARRIER_RESULT_SCHEMA,
    text: CARRIER_RESULT_TEXT,
    key: "order id; port-outs: phone number",
    retentionMs: 7 * DAY_MS,
  },
  "carriers.requests": {
    schema: CARRIER_REQUEST_SCHEMA,
    text: CARRIER_REQUEST_TEXT,
    key: "order id or phone number",
    retentionMs: 7 * DAY_MS,
  },
  "carriers.updates": {
    schema: CARRIER_UPDATE_SCHEMA,
    text: CARRIER_UPDATE_TEXT,
    key: "order id",
    retentionMs: 30 * DAY_MS,
    maxMessageBytes: CARRIER_MAX_MESSAGE_BYTES,
  },
  "carriers.port-outs": {
    schema: PORT_OUT_UPDATE_SCHEMA,
    text: PORT_OUT_UPDATE_TEXT,
    key: "phone number",
    retentionMs: 30 * DAY_MS,
    maxMessageBytes: CARRIER_MAX_MESSAGE_BYTES,
  },
  "carriers.calls": {
    schema: CALL_UPDATE_SCHEMA,
    text: CALL_UPDATE_TEXT,
    key: "phone number",
    retentionMs: 7 * DAY_MS,
    maxMessageBytes: CARRIER_MAX_MESSAGE_BYTES,
  },
  "carriers.receipts": {
    schema: CARRIER_RECEIPT_SCHEMA,
    text: CARRIER_RECEIPT_TEXT,
    key: "as the source",
    retentionMs: 7 * DAY_MS,
  },
  "porting.webhook-attempts": {
    schema: WEBHOOK_ATTEMPTS_SCHEMA,
    text: WEBHOOK_ATTEMPTS_TEXT,
    key: "endpoint id, or a hash of account and url for an order's own",
    retentionMs: 7 * DAY_MS,
  },
} as const satisfies Record<StaticTopicName, Topic>;

/**
 * The only topics that carry account numbers and PINs: their values are sealed in the outbox and among dead letters
 * (docs/contract/messages.md, What integrations publish).
 */
export const SECRET_TOPICS: ReadonlySet<string> = new Set<StaticTopicName>([
  "carriers.requests",
  "carriers.port-outs",
]);

/** All delay topics are the same except for their names. */
export const RETRY_TOPIC = {
  schema: WEBHOOK_RETRY_SCHEMA,
  text: WEBHOOK_RETRY_TEXT,
  key: "endpoint key",
  retentionMs: 7 * DAY_MS,
} as const satisfies Topic;

/** Retention of dead-letter topics; their values are the source's bytes, so they have no schema. */
export const DEAD_LETTER_RETENTION_MS = 30 * DAY_MS;

export const MAX_MESSAGE_BYTES = 2 * MIB;
export const DEAD_LETTER_MAX_MESSAGE_BYTES = 4 * MIB;

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
