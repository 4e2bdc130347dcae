import { z } from "zod";
import { SENT_EVENTS, symbolOfEventType, type SentEventType } from "../../../messages/events.ts";
import {
  PORTING_EVENT_SCHEMA,
  type PortingEvent,
} from "../../../messages/generated/porting-event.ts";
import { isUnion, type AvroRecordSchema, type AvroSchema } from "../../../platform/avro/schema.ts";
import { newEvent } from "./new-event.ts";

interface SampleEnvelope {
  /** A version 7 UUID whose time is `at`. */
  readonly id: string;
  readonly accountId: string;
  readonly at: Date;
}

/** The webhook body of a sample event of this type; its order, numbers and port-out do not exist. */
export function sampleBody(type: SentEventType, { id, accountId, at }: SampleEnvelope): Buffer {
  const event = newEvent(type, SENT_EVENTS[type].sample(at.getTime()), {
    id,
    account_id: accountId,
    order_id: null,
    sequence_key: id,
    order_sequence: null,
    created_at: at,
    context: null,
  });
  return serializeEvent(event, type);
}

const EXAMPLE: SampleEnvelope = {
  id: "0198c0de-0000-7000-8000-000000000001",
  accountId: "0198c0de-0000-7000-8000-000000000002",
  at: new Date("2026-03-02T14:00:00.000Z"),
};
const shownBody = z.record(z.string(), z.unknown());

/** A sample body as an object for the OpenAPI document; it never changes. */
export function exampleEvent(type: SentEventType): z.output<typeof shownBody> {
  return shownBody.parse(JSON.parse(sampleBody(type, EXAMPLE).toString()));
}

/** Fields, as `Record.field`, that are omitted when they have no value; all others are null. */
export const ABSENT_WHEN_NULL: ReadonlySet<string> = new Set(
  Object.values(SENT_EVENTS).flatMap(({ absentWhenNull }) => absentWhenNull),
);

/** Converts a decoded value to JSON; null for a schema whose values need no conversion. */
type Present = ((value: unknown) => unknown) | null;

interface FieldPlan {
  readonly name: string;
  readonly present: Present;
  readonly absentWhenNull: boolean;
}

function plan(schema: AvroSchema, records: Map<string, Present>): Present {
  if (typeof schema === "string") return records.get(schema) ?? null;
  if (isUnion(schema)) {
    return schema.map((branch) => plan(branch, records)).find((one) => one !== null) ?? null;
  }
  switch (schema.type) {
    case "long":
      return (value) => (typeof value === "number" ? new Date(value).toISOString() : value);
    case "enum":
      return null;
    case "array": {
      const item = plan(schema.items, records);
      return item === null
        ? null
        : (value) => (Array.isArray(value) ? value.map((one: unknown) => item(one)) : value);
    }
    case "record": {
      const present = planRecord(schema, records);
      records.set(schema.name, present);
      return present;
    }
  }
}

function planRecord(schema: AvroRecordSchema, records: Map<string, Present>): Present {
  const fields = schema.fields.map(({ name, type }): FieldPlan => ({
    name,
    present: plan(type, records),
    absentWhenNull: ABSENT_WHEN_NULL.has(`${schema.name}.${name}`),
  }));
  if (fields.every(({ present, absentWhenNull }) => present === null && !absentWhenNull))
    return null;
  return (value) => (isRecord(value) ? presentFields(fields, value) : value);
}

function presentFields(
  fields: readonly FieldPlan[],
  record: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const { name, present, absentWhenNull } of fields) {
    const value = record[name] ?? null;
    if (value === null && absentWhenNull) continue;
    shown[name] = present === null ? value : present(value);
  }
  return shown;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

const PRESENT_PAYLOAD: ReadonlyMap<string, Present> = new Map(
  PORTING_EVENT_SCHEMA.fields
    .filter(({ name }) => name === "payload")
    .flatMap(({ type }) => recordFields(type, new Map<string, Present>())),
);

function recordFields(schema: AvroSchema, records: Map<string, Present>): [string, Present][] {
  if (typeof schema === "string" || isUnion(schema) || schema.type !== "record") return [];
  return schema.fields.map(({ name, type }) => [name, plan(type, records)]);
}

/**
 * The body of an event's webhooks, exactly `{id, type, created_at, payload}`: instants in ISO 8601 with milliseconds
 * and `Z`, everything else as on the bus. The only place that makes an event's JSON, which is stored and never changes.
 */
export function serializeEvent(event: PortingEvent, type: SentEventType): Buffer {
  const symbol = symbolOfEventType(type);
  const record = event.payload[symbol];
  const present = PRESENT_PAYLOAD.get(symbol) ?? null;
  return Buffer.from(
    JSON.stringify({
      id: event.id,
      type,
      created_at: new Date(event.created_at).toISOString(),
      payload: present === null ? record : present(record),
    }),
  );
}
