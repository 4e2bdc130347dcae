import type { AvroRecordSchema } from "../platform/avro/schema.ts";
import { CALL_UPDATE_SCHEMA, type CallUpdate } from "./generated/call-update.ts";
import { CARRIER_REQUEST_SCHEMA, type CarrierRequest } from "./generated/carrier-request.ts";
import { CARRIER_RESULT_SCHEMA, type CarrierResult } from "./generated/carrier-result.ts";
import { CARRIER_TASK_SCHEMA, type CarrierTask } from "./generated/carrier-task.ts";
import { CARRIER_UPDATE_SCHEMA, type CarrierUpdate } from "./generated/carrier-update.ts";
import { PORT_OUT_UPDATE_SCHEMA, type PortOutUpdate } from "./generated/port-out-update.ts";
import { PORTING_EVENT_SCHEMA, type PortingEvent } from "./generated/porting-event.ts";
import { REVIEW_REQUEST_SCHEMA, type ReviewRequest } from "./generated/review-request.ts";
import { REVIEW_RESULT_SCHEMA, type ReviewResult } from "./generated/review-result.ts";
import { WEBHOOK_ATTEMPTS_SCHEMA, type WebhookAttempts } from "./generated/webhook-attempts.ts";
import { WEBHOOK_RETRY_SCHEMA, type WebhookRetry } from "./generated/webhook-retry.ts";

const DAY_MS = 86_400_000;
const MIB = 1024 * 1024;

/** Kafka's retention value for a topic that is kept forever. */
export const FOREVER_MS = -1;

export const DEFAULT_PARTITIONS = 6;

/** A topic's message schema, its message key, and how long the broker keeps messages. */
export interface Topic {
  readonly schema: AvroRecordSchema;
  readonly key: string;
  readonly retentionMs: number;
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
    key: "sequence_key",
    retentionMs: FOREVER_MS,
  },
  "porting.review-requests": {
    schema: REVIEW_REQUEST_SCHEMA,
    key: "order id",
    retentionMs: 7 * DAY_MS,
  },
  "porting.review-results": {
    schema: REVIEW_RESULT_SCHEMA,
    key: "order id",
    retentionMs: 7 * DAY_MS,
  },
  "porting.carrier-requests": {
    schema: CARRIER_TASK_SCHEMA,
    key: "order id; forwarding and port-outs: phone number",
    retentionMs: 7 * DAY_MS,
  },
  "porting.carrier-results": {
    schema: CARRIER_RESULT_SCHEMA,
    key: "order id; port-outs: phone number",
    retentionMs: 7 * DAY_MS,
  },
  "carriers.requests": {
    schema: CARRIER_REQUEST_SCHEMA,
    key: "order id or phone number",
    retentionMs: 7 * DAY_MS,
  },
  "carriers.updates": {
    schema: CARRIER_UPDATE_SCHEMA,
    key: "order id",
    retentionMs: 30 * DAY_MS,
  },
  "carriers.port-outs": {
    schema: PORT_OUT_UPDATE_SCHEMA,
    key: "phone number",
    retentionMs: 30 * DAY_MS,
  },
  "carriers.calls": {
    schema: CALL_UPDATE_SCHEMA,
    key: "phone number",
    retentionMs: 7 * DAY_MS,
  },
  "porting.webhook-attempts": {
    schema: WEBHOOK_ATTEMPTS_SCHEMA,
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
  key: "endpoint key",
  retentionMs: 7 * DAY_MS,
} as const satisfies Topic;

/** Retention of dead-letter topics; their values are the source's bytes, so they have no schema. */
export const DEAD_LETTER_RETENTION_MS = 30 * DAY_MS;

export const MAX_MESSAGE_BYTES = 2 * MIB;
export const DEAD_LETTER_MAX_MESSAGE_BYTES = 4 * MIB;
