import { DEFAULT_RETRY_SCHEDULE, parseRetrySchedule } from "../../messages/retry-schedule.ts";
import { planTopics } from "../../messages/topic-plan.ts";
import {
  deadLetterTopic,
  RETRY_TOPIC,
  retryTopics,
  STATIC_TOPIC_NAMES,
  TOPICS,
  type Topic,
} from "../../messages/topics.ts";
import {
  AUDIENCES,
  DEAD_LETTER_TEXT,
  RETRY_TEXT,
  TOPIC_TEXTS,
  type TopicText,
} from "./topic-texts.ts";

/** A topic, or topics that differ in a part of their name alone. */
export interface BusChannel {
  /** Its name in the document. */
  readonly id: string;
  /** The name of its topics, where `{parameter}` stands for the part that differs. */
  readonly address: string;
  readonly parameters?: Readonly<Record<string, ChannelParameter>>;
  /** One of its topics, which has the rights and settings of all of them. */
  readonly example: string;
  readonly text: TopicText;
  /** Null for dead letters, which have the bytes of their source. */
  readonly topic: Topic | null;
}

interface ChannelParameter {
  readonly description: string;
  readonly default?: string;
  readonly examples?: readonly string[];
}

const STEPS = parseRetrySchedule(DEFAULT_RETRY_SCHEDULE);
const RETRY_TOPICS = retryTopics(STEPS);
const RETRY_CHANNEL = "porting.webhook-retry";
const [FIRST_RETRY = `${RETRY_CHANNEL}.1m` as const] = RETRY_TOPICS;

/** Every topic of the bus, the delay topics and the dead letters as one channel each. */
export const BUS_CHANNELS: readonly BusChannel[] = [
  ...STATIC_TOPIC_NAMES.map((name) => {
    const at = { id: name, address: name, example: name };
    return { ...at, text: TOPIC_TEXTS[name], topic: TOPICS[name] };
  }),
  {
    id: RETRY_CHANNEL,
    address: `${RETRY_CHANNEL}.{delay}`,
    parameters: {
      delay: {
        description: "A step of the deployment's WEBHOOK_RETRY_SCHEDULE; each has a topic.",
        default: STEPS[0]?.name ?? "",
        examples: STEPS.map(({ name }) => name),
      },
    },
    example: FIRST_RETRY,
    text: RETRY_TEXT,
    topic: RETRY_TOPIC,
  },
  {
    id: "dead-letter",
    address: "{source}.dead-letter",
    parameters: {
      source: {
        description: "Any other topic; each has its dead letters.",
        examples: [...STATIC_TOPIC_NAMES, ...RETRY_TOPICS],
      },
    },
    example: deadLetterTopic("porting.events"),
    text: DEAD_LETTER_TEXT,
    topic: null,
  },
];

/** Settings that do not depend on a deployment, with the contract's defaults for those that do. */
const PLANNED = planTopics({
  prefix: "",
  replication: 1,
  retrySchedule: DEFAULT_RETRY_SCHEDULE,
  eventsRetentionMs: null,
}).topics;

const DAY_MS = 86_400_000;

/** The `channels` of the AsyncAPI document. */
export function describeChannels(topicPrefix: string) {
  return Object.fromEntries(
    BUS_CHANNELS.map((channel) => [channel.id, describeChannel(channel, topicPrefix)]),
  );
}

function describeChannel(channel: BusChannel, topicPrefix: string) {
  const { address, parameters, text, topic } = channel;
  const name = messageOf(channel);
  const settings = settingsOf(channel);
  const key = topic === null ? "The key is that of the source." : `The key is: ${topic.key}.`;
  return {
    address: topicPrefix + address,
    title: address,
    summary: text.carries,
    description: `From ${text.from} to ${text.to}. ${key} ${retentionText(settings)}`,
    ...(parameters === undefined ? {} : { parameters }),
    messages: { [name]: { $ref: `#/components/messages/${name}` } },
    servers: [{ $ref: "#/servers/kafka" }],
    tags: [{ name: text.audience, description: AUDIENCES[text.audience] }],
    bindings: { kafka: kafkaBinding(settings) },
    "x-internal": text.audience === "internal",
  };
}

/** The message of a channel, by its name in the document. */
export function messageOf({ topic }: BusChannel): string {
  return topic?.schema.name ?? "DeadLetter";
}

/** Its settings at deployment, as numbers where Kafka has texts. */
function settingsOf({ example }: BusChannel) {
  const planned = PLANNED.find(({ name }) => name === example);
  if (planned === undefined) throw new Error(`No topic ${example} is planned.`);
  const { partitions, settings } = planned;
  return {
    partitions,
    others: settings,
    cleanup: (settings["cleanup.policy"] ?? "").split(","),
    retentionMs: Number(settings["retention.ms"]),
    maxBytes: Number(settings["max.message.bytes"]),
  };
}

type Settings = ReturnType<typeof settingsOf>;

function retentionText({ retentionMs, cleanup }: Settings): string {
  const forLong = "for ever, unless the deployment sets EVENTS_RETENTION";
  const duration = retentionMs < 0 ? forLong : `for ${retentionMs / DAY_MS} days`;
  const isCompacted = cleanup.includes("compact");
  return `Messages are kept ${duration}; the topic is ${isCompacted ? "" : "not "}compacted.`;
}

function kafkaBinding({ partitions, others, cleanup, retentionMs, maxBytes }: Settings) {
  return {
    partitions,
    topicConfiguration: {
      ...others,
      "cleanup.policy": cleanup,
      "retention.ms": retentionMs,
      "max.message.bytes": maxBytes,
    },
    bindingVersion: "0.5.0",
  };
}
