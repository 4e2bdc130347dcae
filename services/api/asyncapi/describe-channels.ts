import { DEFAULT_RETRY_SCHEDULE, parseRetrySchedule } from "../../messages/retry-schedule.ts";
import { planTopics } from "../../messages/topic-plan.ts";
import {
  deadLetterTopic,
  RETRY_TOPIC,
  retryTopics,
  STATIC_TOPIC_NAMES,
  TOPICS,
  type StaticTopicName,
  type Topic,
} from "../../messages/topics.ts";

/** Whom a topic is for; what is internal may change in every release. */
type Audience = "analysts" | "integrations" | "internal";

interface TopicText {
  readonly audience: Audience;
  /** Whose messages they are, and for whom (docs/contract/messages.md, Topics and messages: the contract of the bus). */
  readonly from: string;
  readonly to: string;
  readonly carries: string;
}

export const TOPIC_TEXTS: Readonly<Record<StaticTopicName, TopicText>> = {
  "porting.events": {
    audience: "analysts",
    from: "outbox relay (calls: carrier-adapter)",
    to: "event-log, webhook-sender, analytics",
    carries:
      "Every event, in one record with a typed payload per event type. Events of one sequence key are in order. An event may be repeated: deduplicate by its id.",
  },
  "porting.review-requests": {
    audience: "internal",
    from: "API, order-lifecycle",
    to: "requirement-review",
    carries: "Documents to check, and review cases to open or withdraw.",
  },
  "porting.review-results": {
    audience: "internal",
    from: "requirement-review, desk",
    to: "order-lifecycle",
    carries: "Results of document checks, and the porting desk's decisions.",
  },
  "porting.carrier-requests": {
    audience: "internal",
    from: "API, desk, order-lifecycle",
    to: "carrier-adapter",
    carries: "What is to be sent to a carrier, without any value of the order.",
  },
  "porting.carrier-results": {
    audience: "internal",
    from: "carrier-adapter",
    to: "order-lifecycle",
    carries: "Carriers' status updates and port-outs, checked and translated.",
  },
  "carriers.requests": {
    audience: "integrations",
    from: "carrier-adapter",
    to: "carrier integrations",
    carries:
      "Requests to carriers, with every value that a carrier needs. The header `provider` names whose request it is; an integration skips those of other providers. Values may contain PINs and account numbers.",
  },
  "carriers.updates": {
    audience: "integrations",
    from: "carrier integrations, desk",
    to: "carrier-adapter",
    carries: "Carriers' status updates on orders.",
  },
  "carriers.port-outs": {
    audience: "integrations",
    from: "carrier integrations, desk (sandbox)",
    to: "carrier-adapter",
    carries: "Other carriers' requests for numbers of the platform. Values may contain PINs.",
  },
  "carriers.calls": {
    audience: "integrations",
    from: "call platform, carriers, desk (sandbox)",
    to: "carrier-adapter",
    carries: "Steps of calls to numbers of the platform.",
  },
  "carriers.receipts": {
    audience: "integrations",
    from: "carrier-adapter",
    to: "carrier integrations",
    carries:
      "What became of each status update and port-out message, and of each refused call. The header `provider` names whose message it was, where that could be read.",
  },
  "porting.webhook-attempts": {
    audience: "internal",
    from: "outbox relay (what the API announces: tests, retries, republished events)",
    to: "webhook-sender",
    carries: "Deliveries to attempt.",
  },
};

const RETRY_TEXT: TopicText = {
  audience: "internal",
  from: "webhook-sender",
  to: "itself",
  carries: "Deliveries to attempt again when they are due.",
};

export const DEAD_LETTER_TEXT: TopicText = {
  audience: "internal",
  from: "any consumer",
  to: "nobody",
  carries:
    "Messages that could not be handled: the bytes of the source, and the reason in the headers. Operators replay or discard them at the desk.",
};

export const AUDIENCES: Readonly<Record<Audience, string>> = {
  analysts: "For who reads the events",
  integrations: "For carrier integrations and the call platform",
  internal: "Between the services; not for integrations, and subject to change in every release",
};

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
