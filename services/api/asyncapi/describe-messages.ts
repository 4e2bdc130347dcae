import { EVENT_TYPES, EVENTS, symbolOfEventType } from "../../messages/events.ts";
import type { StaticTopicName } from "../../messages/topics.ts";
import { BUS_CHANNELS, messageOf, type BusChannel } from "./describe-channels.ts";

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
export const HEADER_SCHEMAS = {
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
export function describeMessages() {
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
