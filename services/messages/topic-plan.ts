import { parseRetrySchedule } from "./retry-schedule.ts";
import {
  DEAD_LETTER_MAX_MESSAGE_BYTES,
  DEAD_LETTER_RETENTION_MS,
  deadLetterTopic,
  DEFAULT_PARTITIONS,
  isCarrierTopic,
  MAX_MESSAGE_BYTES,
  RETRY_TOPIC,
  retryTopics,
  STATIC_TOPIC_NAMES,
  subjectOf,
  TOPICS,
  type Topic,
  type TopicName,
} from "./topics.ts";

export interface PlanOptions {
  /** Prefix of every topic's name; empty in production. */
  readonly prefix: string;
  readonly replication: number;
  readonly retrySchedule: string;
  /** Null: for ever. */
  readonly eventsRetentionMs: number | null;
  readonly partitions?: number;
}

/** A topic as the broker should have it; its name with the prefix. */
export interface PlannedTopic {
  readonly name: string;
  readonly partitions: number;
  readonly replication: number;
  readonly settings: Readonly<Record<string, string>>;
}

export interface PlannedSubject {
  readonly subject: string;
  /** The schema file's own text. */
  readonly text: string;
}

export interface TopicPlan {
  readonly topics: readonly PlannedTopic[];
  readonly subjects: readonly PlannedSubject[];
}

const MIN_REPLICAS_FOR_TWO_IN_SYNC = 3;

function plannedTopic(
  name: string,
  limits: { retentionMs: number; maxMessageBytes: number; isDatedByBroker?: boolean },
  options: PlanOptions,
): PlannedTopic {
  return {
    name: options.prefix + name,
    partitions: options.partitions ?? DEFAULT_PARTITIONS,
    replication: options.replication,
    settings: {
      "cleanup.policy": "delete",
      "retention.ms": String(limits.retentionMs),
      "max.message.bytes": String(limits.maxMessageBytes),
      // The broker decompresses what a carrier's client compressed: our consumers read only gzip.
      "compression.type": "uncompressed",
      ...(limits.isDatedByBroker === true ? { "message.timestamp.type": "LogAppendTime" } : {}),
      ...(options.replication >= MIN_REPLICAS_FOR_TWO_IN_SYNC
        ? { "min.insync.replicas": "2" }
        : {}),
    },
  };
}

/** Every topic of the contract with its dead-letter topic, and every subject. @throws `invalid_config` */
export function planTopics(options: PlanOptions): TopicPlan {
  const table: readonly (Topic & { name: TopicName })[] = [
    ...STATIC_TOPIC_NAMES.map((name) => ({ name, ...TOPICS[name] })),
    ...retryTopics(parseRetrySchedule(options.retrySchedule)).map((name) => ({
      name,
      ...RETRY_TOPIC,
    })),
  ];
  const retentionOf = ({ name, retentionMs }: Topic & { name: TopicName }) =>
    name === "porting.events" ? (options.eventsRetentionMs ?? retentionMs) : retentionMs;

  return {
    topics: table.flatMap((topic) => [
      plannedTopic(
        topic.name,
        {
          retentionMs: retentionOf(topic),
          maxMessageBytes: topic.maxMessageBytes ?? MAX_MESSAGE_BYTES,
          // A date of long ago, which a carrier's client may give, begins a segment of the log.
          isDatedByBroker: isCarrierTopic(topic.name),
        },
        options,
      ),
      plannedTopic(
        deadLetterTopic(topic.name),
        {
          retentionMs: DEAD_LETTER_RETENTION_MS,
          maxMessageBytes: DEAD_LETTER_MAX_MESSAGE_BYTES,
        },
        options,
      ),
    ]),
    subjects: table.map(({ name, text }) => ({
      subject: subjectOf(options.prefix + name),
      text,
    })),
  };
}
