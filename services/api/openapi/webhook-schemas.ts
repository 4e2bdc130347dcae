import {
  SENT_EVENT_TYPES,
  SENT_EVENTS,
  symbolOfEventType,
  type SentEventType,
} from "../../messages/events.ts";
import { PORTING_EVENT_SCHEMA } from "../../messages/generated/porting-event.ts";
import { isUnion, type AvroRecordSchema, type AvroSchema } from "../../platform/avro/schema.ts";
import { ABSENT_WHEN_NULL } from "../../domain/event/rules/serialize-event.ts";

type JsonSchema = Readonly<Record<string, unknown>>;

/** The JSON Schema of a webhook's body. */
export interface WebhookSchema {
  readonly type: SentEventType;
  readonly summary: string;
  readonly schema: JsonSchema;
}

/**
 * The schemas of all webhook bodies, derived from the Avro schema of events just as `serializeEvent` derives the bodies
 * from the events.
 */
export function webhookSchemas(): WebhookSchema[] {
  const records = new Map<string, AvroRecordSchema>();
  const payloads = recordOf(fieldOf(PORTING_EVENT_SCHEMA, "payload"), records);
  return SENT_EVENT_TYPES.map((type) => {
    const payload = recordOf(fieldOf(payloads, symbolOfEventType(type)), records);
    return {
      type,
      summary: sentence(SENT_EVENTS[type].firedWhen),
      schema: bodyOf(type, toJson(payload ?? "", records)),
    };
  });
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function bodyOf(type: SentEventType, payload: JsonSchema): JsonSchema {
  const properties = {
    id: {
      type: "string",
      format: "uuid",
      description: "The event's id; the same whenever it is sent again",
    },
    type: { type: "string", const: type },
    created_at: { type: "string", format: "date-time" },
    payload,
  };
  return { type: "object", properties, required: Object.keys(properties) };
}

function fieldOf(record: AvroRecordSchema | null, name: string): AvroSchema {
  return record?.fields.find((field) => field.name === name)?.type ?? "null";
}

/** The record of a nullable field; Avro defines a record where it is first used and refers to it by name afterwards. */
function recordOf(
  schema: AvroSchema,
  records: Map<string, AvroRecordSchema>,
): AvroRecordSchema | null {
  remember(schema, records);
  if (typeof schema === "string") return records.get(schema) ?? null;
  if (!isUnion(schema)) return schema.type === "record" ? schema : null;
  return schema.map((branch) => recordOf(branch, records)).find((one) => one !== null) ?? null;
}

function remember(schema: AvroSchema, records: Map<string, AvroRecordSchema>): void {
  if (typeof schema === "string") return;
  if (isUnion(schema)) schema.forEach((branch) => remember(branch, records));
  else if (schema.type === "array") remember(schema.items, records);
  else if (schema.type === "record" && !records.has(schema.name)) {
    records.set(schema.name, schema);
    for (const { type } of schema.fields) remember(type, records);
  }
}

const PRIMITIVES: Readonly<Record<string, JsonSchema>> = {
  string: { type: "string" },
  boolean: { type: "boolean" },
  int: { type: "integer" },
  long: { type: "integer" },
  double: { type: "number" },
  null: { type: "null" },
};

function toJson(schema: AvroSchema, records: ReadonlyMap<string, AvroRecordSchema>): JsonSchema {
  if (typeof schema === "string") {
    const record = records.get(schema);
    return record === undefined ? (PRIMITIVES[schema] ?? {}) : toJson(record, records);
  }
  if (isUnion(schema)) return { anyOf: schema.map((branch) => toJson(branch, records)) };
  switch (schema.type) {
    case "long":
      return { type: "string", format: "date-time" };
    case "enum":
      return { type: "string", enum: schema.symbols };
    case "array":
      return { type: "array", items: toJson(schema.items, records) };
    case "record":
      return recordToJson(schema, records);
  }
}

function recordToJson(
  { name, doc, fields }: AvroRecordSchema,
  records: ReadonlyMap<string, AvroRecordSchema>,
): JsonSchema {
  const properties = fields.map((field) => {
    const text = field.doc === undefined ? {} : { description: field.doc };
    return [field.name, { ...toJson(field.type, records), ...text }] as const;
  });
  const always = fields.filter((field) => !ABSENT_WHEN_NULL.has(`${name}.${field.name}`));
  return {
    type: "object",
    ...(doc === undefined ? {} : { description: doc }),
    properties: Object.fromEntries(properties),
    required: always.map((field) => field.name),
  };
}
