import type { z } from "zod";
import { ABSENT_WHEN_NULL } from "../../domain/event/rules/serialize-event.ts";
import { numberType } from "../../domain/number/answers/number-fields.ts";
import { orderStatusAnswer } from "../../domain/order/answers/order-answer.ts";
import { portOutAnswer } from "../../domain/port-out/answers/port-out-answer.ts";
import { requirementAnswer } from "../../domain/requirement/answers/requirement-answer.ts";
import {
  SENT_EVENT_TYPES,
  SENT_EVENTS,
  symbolOfEventType,
  type SentEventType,
} from "../../messages/events.ts";
import { PORTING_EVENT_SCHEMA } from "../../messages/generated/porting-event.ts";
import { isUnion, type AvroRecordSchema, type AvroSchema } from "../../platform/avro/schema.ts";
import { openEnum } from "../../platform/openapi/open-enums.ts";
import { COMPONENT } from "../../platform/openapi/operation-id.ts";

type JsonSchema = Readonly<Record<string, unknown>>;

/** The webhook of an event type. */
interface WebhookSchema {
  readonly type: SentEventType;
  readonly summary: string;
  /** The component of its body. */
  readonly body: string;
}

interface WebhookSchemas {
  readonly webhooks: readonly WebhookSchema[];
  /** The bodies, their payloads and what these consist of, by component name. */
  readonly schemas: Readonly<Record<string, JsonSchema>>;
}

/** Fields that Avro has as plain strings, as `Record.field`, and the component with their known values. */
const KNOWN_VALUES: Readonly<Record<string, string>> = {
  "PortingOrderSnapshot.status": "PortingOrderStatus",
  "PortingOrderSnapshot.number_type": "NumberType",
  "PortingOrderStatusChanged.previous_status": "PortingOrderStatus",
  "PortingOrderStatusChanged.new_status": "PortingOrderStatus",
  "SplitPortingOrder.number_type": "NumberType",
  "ReviewedRequirement.status": "RequirementStatus",
  "NumberActivated.number_type": "NumberType",
  "PortOut.status": "PortOutStatus",
  "PortOutStatusChanged.previous_status": "PortOutStatus",
  "PortOutStatusChanged.new_status": "PortOutStatus",
};

/** Records whose names the API has for another schema. */
const RENAMED: Readonly<Record<string, string>> = { PortOut: "PortOutSnapshot" };

/**
 * The schemas of all webhook bodies, derived from the Avro schema of events just as `serializeEvent` derives the bodies
 * from the events.
 */
export function webhookSchemas(): WebhookSchemas {
  const records = new Map<string, AvroRecordSchema>();
  const payloads = recordOf(fieldOf(PORTING_EVENT_SCHEMA, "payload"), records);
  const schemas: Record<string, JsonSchema> = {};
  const isPayload = new Set<string>();
  const webhooks = SENT_EVENT_TYPES.map((type) => {
    const payload = recordOf(fieldOf(payloads, symbolOfEventType(type)), records);
    if (payload === null) throw new Error(`The schema of events has no payload of ${type}.`);
    isPayload.add(payload.name);
    schemas[`${payload.name}Webhook`] = bodyOf(type, ref(`${payload.name}Payload`));
    return { type, summary: sentence(SENT_EVENTS[type].firedWhen), body: `${payload.name}Webhook` };
  });
  for (const [name, record] of records) {
    if (name === payloads?.name) continue;
    schemas[isPayload.has(name) ? `${name}Payload` : componentOf(name)] = recordToJson(record);
  }
  return { webhooks, schemas };
}

function componentOf(record: string): string {
  return RENAMED[record] ?? record;
}

function ref(component: string): JsonSchema {
  return { $ref: `#/components/schemas/${component}` };
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
    type: { type: "string", const: type, description: "The event's type" },
    created_at: { type: "string", format: "date-time", description: "When the change happened" },
    payload,
  };
  const description = `The body of the webhook \`${type}\``;
  return { type: "object", description, properties, required: Object.keys(properties) };
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

function toJson(schema: AvroSchema): JsonSchema {
  if (typeof schema === "string") return PRIMITIVES[schema] ?? ref(componentOf(schema));
  if (isUnion(schema)) return { anyOf: schema.toSorted(nullLast).map(toJson) };
  switch (schema.type) {
    case "long":
      return { type: "string", format: "date-time" };
    case "enum":
      return { anyOf: openEnum(schema.symbols) };
    case "array":
      return { type: "array", items: toJson(schema.items) };
    case "record":
      return ref(componentOf(schema.name));
  }
}

/** As the schemas of the API have it. */
function nullLast(a: AvroSchema, b: AvroSchema): number {
  return Number(a === "null") - Number(b === "null");
}

function recordToJson({ name, doc, fields }: AvroRecordSchema): JsonSchema {
  const properties = fields.map((field) => {
    const known = KNOWN_VALUES[`${name}.${field.name}`];
    const schema = known === undefined ? toJson(field.type) : ref(known);
    const text = field.doc === undefined ? {} : { description: field.doc };
    return [field.name, { ...schema, ...text }] as const;
  });
  const always = fields.filter((field) => !ABSENT_WHEN_NULL.has(`${name}.${field.name}`));
  return {
    type: "object",
    ...(doc === undefined ? {} : { description: doc }),
    properties: Object.fromEntries(properties),
    required: always.map((field) => field.name),
  };
}

const DIALECT = "https://json-schema.org/draft/2020-12/schema";
const DEFINITION = "#/$defs/";

/** Enumerations of the API that webhooks use too. */
const SHARED: readonly z.ZodEnum[] = [
  orderStatusAnswer,
  numberType,
  requirementAnswer.shape.status,
  portOutAnswer.shape.status,
];

/** Open, because later versions may add values. */
const ENUMERATIONS: Readonly<Record<string, JsonSchema>> = Object.fromEntries(
  SHARED.map((values) => {
    const { id = "", description } = values.meta() ?? {};
    return [id, { description, anyOf: openEnum(values.options) }];
  }),
);

/** Made at the first request for one, because a service starts without them. */
let made: ReadonlyMap<SentEventType, JsonSchema> | null = null;

/**
 * The webhook body of an event type as a JSON Schema (2020-12) that needs no other document: the same schemas that the
 * OpenAPI document has, with what they refer to in `$defs`.
 */
export function webhookJsonSchema(type: SentEventType): JsonSchema {
  made ??= webhookJsonSchemas();
  return made.get(type) ?? {};
}

function webhookJsonSchemas(): ReadonlyMap<SentEventType, JsonSchema> {
  const { webhooks, schemas } = webhookSchemas();
  const components = { ...ENUMERATIONS, ...schemas };
  return new Map(webhooks.map((webhook) => [webhook.type, standalone(components, webhook)]));
}

function standalone(
  components: Readonly<Record<string, JsonSchema>>,
  { type, summary, body }: WebhookSchema,
): JsonSchema {
  const used = new Set<string>();
  const collect = (name: string): void => {
    if (used.has(name)) return;
    const schema = components[name];
    if (schema === undefined) throw new Error(`The schemas of webhooks lack ${name}.`);
    used.add(name);
    for (const other of referencesIn(schema)) collect(other);
  };
  const root = components[body] ?? {};
  for (const name of referencesIn(root)) collect(name);
  const $id = `urn:number-porting-service:webhook:${type}`;
  const $defs = Object.fromEntries([...used].map((name) => [name, inDefs(components[name])]));
  return { $schema: DIALECT, $id, title: summary, ...asObject(inDefs(root)), $defs };
}

/** The names of the components that a schema refers to, at any depth. */
function referencesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  return Object.entries(asObject(value)).flatMap(([key, inner]) =>
    key === "$ref" && typeof inner === "string"
      ? [inner.slice(COMPONENT.length)]
      : referencesIn(inner),
  );
}

/** A schema whose references point into `$defs`. */
function inDefs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inDefs);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) =>
      key === "$ref" && typeof inner === "string"
        ? [key, DEFINITION + inner.slice(COMPONENT.length)]
        : [key, inDefs(inner)],
    ),
  );
}

function asObject(value: unknown): JsonSchema {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
