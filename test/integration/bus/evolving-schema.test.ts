import { beforeAll, describe, expect, it } from "@jest/globals";
import { createCodec } from "../../../services/messages/codec.ts";
import { readHistory } from "../../../services/messages/generate/generate-types.ts";
import { PORTING_EVENT_SCHEMA } from "../../../services/messages/generated/porting-event.ts";
import { subjectOf } from "../../../services/messages/topics.ts";
import {
  createAvroRecord,
  readSchemaId,
  type AvroRecord,
} from "../../../services/platform/avro/avro-record.ts";
import type {
  AvroField,
  AvroRecordSchema,
  AvroSchema,
} from "../../../services/platform/avro/schema.ts";
import {
  createSchemaRegistry,
  type SchemaRegistry,
} from "../../../services/platform/avro/schema-registry.ts";
import { systemClock } from "../../../services/platform/clock.ts";
import { createLogger } from "../../../services/platform/logger.ts";
import { buildEvent } from "../../support/orders/event-factory.ts";
import { generatedReader } from "../../support/schemas/generated-reader.ts";
import { asReadBy } from "../../support/schemas/schema-values.ts";
import { endAfterTests } from "../../support/lifetime/end-after-tests.ts";
import { testKafka } from "../../support/stack/test-kafka.ts";
import { testStack } from "../../support/stack/test-stack.ts";
import { createTestTopics } from "../../support/stack/test-topics.ts";
import { readTopic } from "../../support/stack/topic-reader.ts";

const TOPIC = "porting.events";
const access = { SCHEMA_REGISTRY_URL: testStack().schema_registry_url };

const REGION: AvroField = {
  name: "region",
  type: ["null", "string"],
  default: null,
  doc: "Region of the numbers.",
};

/** The next version of the events' schema: another event type, and another field. */
const NEXT: AvroRecordSchema = {
  ...PORTING_EVENT_SCHEMA,
  fields: [...PORTING_EVENT_SCHEMA.fields.map(withNewType), REGION],
};

function withNewType(field: AvroField): AvroField {
  return field.name === "type" ? { ...field, type: withSymbol(field.type) } : field;
}

function withSymbol(schema: AvroSchema): AvroSchema {
  if (typeof schema === "string" || !("symbols" in schema)) return schema;
  return { ...schema, symbols: [...schema.symbols, "porting_order_reopened"] };
}

const today = buildEvent("porting_order.created");
const tomorrow = { ...today, type: "porting_order_reopened", region: "New York" };

let prefix: string;
let registry: SchemaRegistry;
/** Both events as they lie on the topic: the one written today, then the new writer's. */
let values: Buffer[];

beforeAll(async () => {
  prefix = await createTestTopics();
  registry = createSchemaRegistry({ access, clock: systemClock });
  const id = await registry.register(subjectOf(prefix + TOPIC), JSON.stringify(NEXT));
  const codec = await todaysCodec();
  const written = [codec.encode(TOPIC, today), createAvroRecord(NEXT).write(tomorrow, id)];
  const producer = testKafka().producer();
  endAfterTests(() => producer.disconnect());
  await producer.connect();
  const messages = written.map((value) => ({ key: today.sequence_key, value }));
  await producer.send({ topic: prefix + TOPIC, messages });
  values = (await readTopic(testKafka(), prefix + TOPIC)).map(({ value }) => value ?? Buffer.of());
});

function todaysCodec() {
  const { signal } = new AbortController();
  const log = createLogger("test", "silent");
  return createCodec({ registry: access, topicPrefix: prefix, signal, log, clock: systemClock });
}

/** The messages of the topic as a program with this record reads them, which asks the registry for the writers' schemas. */
function readBy(record: AvroRecord): Promise<unknown[]> {
  const read = async (value: Buffer): Promise<unknown> =>
    record.readerOf(await registry.schemaById(readSchemaId(value)))(value);
  return Promise.all(values.map(read));
}

describe("a schema that has grown", () => {
  it("brings a new writer's field and event type to a new reader", async () => {
    expect(await readBy(createAvroRecord(NEXT))).toEqual([{ ...today, region: null }, tomorrow]);
  });

  it("leaves today's services reading, without what they do not know", async () => {
    const codec = await todaysCodec();
    const read = await Promise.all(values.map(async (value) => codec.decode(TOPIC, value)));
    expect(read).toEqual([today, { ...today, type: "unrecognized" }]);
  });

  it("leaves a reader reading that was generated from the first version", async () => {
    const [first] = readHistory(process.cwd(), "porting-event");
    if (first === undefined) throw new Error("The events have no history.");
    const read = await readBy(await generatedReader(first));
    expect(read).toEqual([asReadBy(first, today), asReadBy(first, tomorrow)]);
    expect(read).toEqual([
      expect.objectContaining({ id: today.id, type: "porting_order_created" }),
      expect.objectContaining({ id: today.id, type: "unrecognized" }),
    ]);
  });

  it.each<[string, AvroField]>([
    ["gains a field that earlier messages lack", { name: "tier", type: "string", doc: "A tier." }],
    ["changes the type of a field", { ...REGION, type: ["null", "long"] }],
  ])("is refused by the registry where it %s", async (_what, field) => {
    const broken = { ...NEXT, fields: [...NEXT.fields.slice(0, -1), field] };
    await expect(
      registry.register(subjectOf(prefix + TOPIC), JSON.stringify(broken)),
    ).rejects.toMatchObject({ code: "topic_mismatch" });
  });
});
