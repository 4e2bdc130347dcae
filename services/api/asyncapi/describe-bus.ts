import {
  providerGroups,
  providerUser,
  topicRights,
  type Party,
} from "../../messages/bus/topic-rights.ts";
import { EVENT_TYPES, EVENTS, symbolOfEventType } from "../../messages/events.ts";
import { DEFAULT_RETRY_SCHEDULE, parseRetrySchedule } from "../../messages/retry-schedule.ts";
import type { StaticTopicName } from "../../messages/topics.ts";
import {
  AUDIENCES,
  BUS_CHANNELS,
  describeChannels,
  messageOf,
  type BusChannel,
} from "./describe-channels.ts";

type Action = "send" | "receive";

const PROVIDER = "<provider>";
const RIGHTS = topicRights(parseRetrySchedule(DEFAULT_RETRY_SCHEDULE));

/** The `operations` of the AsyncAPI document: one per party and topic that it writes or reads. */
function describeOperations(topicPrefix: string) {
  const all = BUS_CHANNELS.flatMap((channel) => {
    const rights = RIGHTS.get(channel.example);
    if (rights === undefined) throw new Error(`Nobody has rights on ${channel.example}.`);
    return [
      ...rights.write.map((party) => describe(channel, { party, action: "send", topicPrefix })),
      ...rights.read.map((party) => describe(channel, { party, action: "receive", topicPrefix })),
    ];
  });
  return Object.fromEntries(all);
}

interface Access {
  readonly party: Party;
  readonly action: Action;
  readonly topicPrefix: string;
}

function describe(channel: BusChannel, { party, action, topicPrefix }: Access) {
  const { id, address, text } = channel;
  const isProvider = party === "providers";
  const user = isProvider ? providerUser(PROVIDER) : party;
  const verb = action === "send" ? "writes" : "reads";
  const who = isProvider ? "A carrier integration" : party;
  const groups = providerGroups(PROVIDER).map((group) => `\`${topicPrefix}${group}\``);
  const operation = {
    action,
    channel: { $ref: `#/channels/${id}` },
    title: `${who} ${verb} ${address}`,
    summary: text.carries,
    description: `As the Kafka user \`${user}\`.${relayed(party, text.from)}`,
    messages: [{ $ref: `#/channels/${id}/messages/${messageOf(channel)}` }],
    tags: [{ name: text.audience, description: AUDIENCES[text.audience] }],
    ...(isProvider && action === "receive"
      ? { bindings: { kafka: groupBinding(`One of ${groups.join(", ")}`) } }
      : {}),
    "x-kafka-user": user,
  };
  return [`${party}.${action}.${id}`, operation] as const;
}

/** Services write their messages to the outbox, in the transaction of the change. */
function relayed(party: Party, from: string): string {
  return party === "outbox-relay" ? ` Publishes from the outbox what others wrote: ${from}.` : "";
}

function groupBinding(description: string) {
  return { groupId: { type: "string", description }, bindingVersion: "0.5.0" };
}

const AVRO = "application/vnd.apache.avro;version=1.9.0";

const text = (description: string) => ({ type: "string", description });

const TRACED = {
  "message-id": {
    ...text("The message's id, the same when it is sent again"),
    format: "uuid",
    examples: ["0198c0de-0000-7000-8000-000000000001"],
  },
  traceparent: {
    ...text("The trace that the message belongs to (W3C Trace Context)"),
    examples: ["00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"],
  },
};

const provider = (description: string) => ({
  provider: { ...text(description), examples: ["us-lsr"] },
});

const SOURCE = {
  "error-code": { ...text("Why the message was refused"), examples: ["rule_broken"] },
  "error-detail": text("Why, for people"),
  "source-topic": { ...text("The topic that it was read from"), examples: ["carriers.updates"] },
  "source-partition": { ...text("The partition of that topic"), examples: ["3"] },
  "source-offset": { ...text("The offset in that partition"), examples: ["41"] },
  "source-message-id": text("Its message-id; where it had none, an id made from its place"),
};

const READ_FROM_SOURCE = {
  ...provider("The provider that the message names, where that could be read"),
  "update-id": text("The provider's id of its update, where that could be read"),
  sealed: text("Only where the value is encrypted, because it may contain PINs: how"),
};

/** What the headers of messages hold, by the name of the schema. */
const HEADER_SCHEMAS = {
  MessageHeaders: headers("Headers of every message of the services", TRACED),
  RequestHeaders: headers("Headers of a request to a carrier", {
    ...TRACED,
    ...provider("The provider that is asked; integrations skip requests to others"),
  }),
  UpdateHeaders: headers(
    "Headers of what integrations publish, all of them optional",
    {},
    {
      ...TRACED,
      ...provider(
        "The provider that publishes: its receipt comes back even if the value is unreadable",
      ),
    },
  ),
  ReceiptHeaders: headers(
    "Headers of a receipt",
    TRACED,
    provider("The provider that published the message, where that could be read"),
  ),
  DeadLetterHeaders: headers(
    "Headers of a dead letter",
    { ...TRACED, ...SOURCE },
    READ_FROM_SOURCE,
  ),
};

/** Headers are texts; programs must accept others than those that are named. */
function headers(description: string, always: object, sometimes: object = {}) {
  return {
    type: "object",
    description,
    properties: { ...always, ...sometimes },
    required: Object.keys(always),
  };
}

/** The `components.messages` of the AsyncAPI document: one per channel, as every topic has one record. */
function describeMessages() {
  return Object.fromEntries(
    BUS_CHANNELS.map((channel) => [messageOf(channel), describeMessage(channel)]),
  );
}

function describeMessage(channel: BusChannel) {
  const { topic, text: about } = channel;
  const name = messageOf(channel);
  if (topic === null) {
    const contentType = "application/octet-stream";
    return { name, title: name, summary: about.carries, contentType, headers: headersOf(channel) };
  }
  const { schema, key } = topic;
  return {
    name,
    title: name,
    summary: schema.doc,
    contentType: "avro/binary",
    headers: headersOf(channel),
    payload: { schemaFormat: AVRO, schema },
    bindings: {
      kafka: {
        key: text(key),
        schemaIdLocation: "payload",
        schemaIdPayloadEncoding: "confluent",
        schemaLookupStrategy: "TopicNameStrategy",
        bindingVersion: "0.5.0",
      },
    },
    ...(channel.id === "porting.events" ? { "x-event-types": eventTypes() } : {}),
  };
}

/** The schema of a channel's headers, where they are not those of every message. */
const HEADERS_OF: ReadonlyMap<string, keyof typeof HEADER_SCHEMAS> = new Map(
  Object.entries({
    "carriers.requests": "RequestHeaders",
    "carriers.updates": "UpdateHeaders",
    "carriers.port-outs": "UpdateHeaders",
    "carriers.calls": "UpdateHeaders",
    "carriers.receipts": "ReceiptHeaders",
  } as const satisfies Partial<Record<StaticTopicName, keyof typeof HEADER_SCHEMAS>>),
);

function headersOf({ id, topic }: BusChannel) {
  const name = topic === null ? "DeadLetterHeaders" : (HEADERS_OF.get(id) ?? "MessageHeaders");
  return { $ref: `#/components/schemas/${name}` };
}

/** The event types with their public names and their symbols on the bus. */
function eventTypes() {
  return EVENT_TYPES.map((type) => {
    const row = EVENTS[type];
    return {
      type,
      symbol: symbolOfEventType(type),
      fired_when: row.firedWhen,
      ...("orderedBy" in row ? { ordered_by: row.orderedBy, is_numbered: row.isNumbered } : {}),
    };
  });
}

const DESCRIPTION = `The topics by which the services of the Number Porting Service, carrier integrations and analysts work together.

Values are Avro in the Confluent wire format: a zero byte, the schema's id in four bytes, the record. The subject is
\`<topic>-value\`, its compatibility \`FULL_TRANSITIVE\`: fields are added as nullable with a default, and every
enumeration has \`unrecognized\` as its first symbol and default, which stands for one that a reader's copy of the schema
does not know. The registry speaks Confluent's protocol; the operator gives its address (\`schema_registry_url\` in
credentials.json of \`npm start\`). Topics and subjects are made at deployment; clients neither create nor register any.

Order is kept within a key. The key decides the partition by murmur2, so librdkafka needs the partitioner
\`murmur2_random\`. Every message may be repeated. A message has at most 1,900,000 bytes, headers included; a batch
on a topic that carriers write at most 64 KiB, a key 255 bytes, a record 64 headers.

Analysts read \`porting.events\` with a user that the operator makes, with the rights to read the topic and a group of
their own; no operation below is theirs.

Channels tagged \`internal\` are between the services: they are here for those who operate them, and may change in every
release. Partitions and retention are the defaults, which a deployment may change.`;

const LOGIN =
  "Each service and each provider has a Kafka user of its own, `provider-<provider>` for an integration, and ACLs give it the operations below. The operator says which mechanism the brokers use; OAUTHBEARER and client certificates are possible too.";

/** Which deployment the document is for. */
export interface BusNames {
  /** Precedes every topic's name. */
  readonly topicPrefix: string;
}

/** The AsyncAPI 3 document of every topic: its messages, settings, writers and readers. */
export function describeBus({ topicPrefix }: BusNames) {
  return {
    asyncapi: "3.0.0",
    id: "urn:number-porting-service:bus",
    info: {
      title: "Number Porting Bus",
      version: "1.0.0",
      description: DESCRIPTION,
      contact: { name: "The operators of the platform" },
      license: { name: "Proprietary" },
      tags: Object.entries(AUDIENCES).map(([name, description]) => ({ name, description })),
    },
    defaultContentType: "avro/binary",
    servers: {
      kafka: {
        host: "{brokers}",
        protocol: "kafka",
        title: "Kafka",
        description: `The brokers, encrypted where the operator says so. ${LOGIN}`,
        variables: {
          brokers: {
            description: "Bootstrap servers; `kafka_brokers` in credentials.json of `npm start`",
            default: "localhost:9092",
          },
        },
        security: Object.keys(MECHANISMS).map((name) => ({
          $ref: `#/components/securitySchemes/${name}`,
        })),
      },
    },
    channels: describeChannels(topicPrefix),
    operations: describeOperations(topicPrefix),
    components: {
      messages: describeMessages(),
      schemas: HEADER_SCHEMAS,
      securitySchemes: MECHANISMS,
    },
  };
}

const MECHANISMS = {
  scramSha512: {
    type: "scramSha512",
    description: "SASL SCRAM-SHA-512, the mechanism of `npm start` and of the containers",
  },
  scramSha256: { type: "scramSha256", description: "SASL SCRAM-SHA-256" },
  plain: { type: "plain", description: "SASL PLAIN, only over an encrypted connection" },
};
