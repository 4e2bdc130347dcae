/** @tier all */
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "@jest/globals";
import type { Kafka, Producer } from "kafkajs";
import type pg from "pg";
import { eventually } from "../../support/eventually.ts";
import { startOwnProduct, type OwnProduct } from "../../support/product/product.ts";
import { readTopic } from "../../support/stack/topic-reader.ts";
import { endAfterTests } from "../../support/lifetime/end-after-tests.ts";
import { connectClient } from "../../support/stack/test-client.ts";
import { testKafka } from "../../support/stack/test-kafka.ts";

const UNKNOWN_ID = 2_000_000_000;
const CONSUMERS: Readonly<Record<string, readonly string[]>> = {
  "porting.events": ["event-log", "webhook-sender"],
  "porting.review-requests": ["requirement-review"],
  "porting.review-results": ["order-lifecycle"],
  "porting.carrier-requests": ["carrier-adapter"],
  "porting.carrier-results": ["order-lifecycle"],
  "carriers.updates": ["carrier-adapter"],
  "carriers.port-outs": ["carrier-adapter"],
  "carriers.calls": ["carrier-adapter-calls"],
  "porting.webhook-attempts": ["webhook-dispatch"],
  "porting.webhook-retry.1m": ["webhook-retry-1m"],
};

function unknownSchema(): Buffer {
  const value = Buffer.alloc(16);
  value.writeUInt32BE(UNKNOWN_ID, 1);
  return value;
}

interface Poison {
  readonly value: Buffer | null;
  readonly code: string;
}

const POISON: readonly Poison[] = [
  { value: Buffer.from("garbage"), code: "undecodable" },
  { value: null, code: "null_value" },
];
const OF_CARRIERS: readonly Poison[] = [
  ...POISON,
  { value: unknownSchema(), code: "unknown_schema" },
  { value: Buffer.alloc(60_000, 0x7a), code: "undecodable" },
];
/** An unknown schema of ours holds its partition: its effect would be missing. */
const OF_OURS: readonly Poison[] = [
  ...POISON,
  { value: Buffer.alloc(1024 * 1024, 0x7a), code: "undecodable" },
];

let product: OwnProduct;
let kafka: Kafka;
let producer: Producer;
let database: pg.Client;

beforeAll(async () => {
  product = await startOwnProduct({
    services: [
      "requirement-review",
      "order-lifecycle",
      "carrier-adapter",
      "event-log",
      "outbox-relay",
      "webhook-sender",
    ],
  });
  kafka = testKafka();
  producer = kafka.producer();
  endAfterTests(() => producer.disconnect());
  await producer.connect();
  database = await connectClient(product.databaseUrl);
});

interface DeadLetter {
  readonly consumer: string;
  readonly error_code: string;
  readonly kafka_offset: string;
  readonly created_at: Date;
}

async function deadLettersOf(topic: string): Promise<DeadLetter[]> {
  const { rows } = await database.query<DeadLetter>(
    `select consumer, error_code, kafka_offset, created_at from messaging.dead_letters
      where topic = $1 order by consumer, kafka_offset`,
    [topic],
  );
  return rows;
}

describe.each(Object.entries(CONSUMERS))(
  "messages on %s that can never be handled",
  (name, consumers) => {
    it("are dead-lettered with their reasons, and the partition continues", async () => {
      const topic = product.topicPrefix + name;
      const poison = name.startsWith("carriers.") ? OF_CARRIERS : OF_OURS;
      const messages = poison.map(({ value }) => ({ key: "poison", value, partition: 0 }));
      await producer.send({ topic, messages });
      const letters = await eventually(async () => {
        const rows = await deadLettersOf(topic);
        expect(rows).toHaveLength(consumers.length * poison.length);
        return rows;
      });
      for (const consumer of consumers) {
        const own = letters.filter((row) => row.consumer === consumer);
        expect(own.map((row) => row.error_code)).toEqual(poison.map(({ code }) => code));
      }
      const copies = await eventually(async () => {
        const found = await readTopic(kafka, `${topic}.dead-letter`);
        expect(found).toHaveLength(consumers.length * poison.length);
        return found;
      });
      const sizes = copies.map(({ value }) => value?.length ?? -1).sort((a, b) => a - b);
      const expected = consumers.flatMap(() => poison.map(({ value }) => value?.length ?? -1));
      expect(sizes).toEqual(expected.sort((a, b) => a - b));
      expect(copies.every(({ headers }) => headers["source-topic"] === topic)).toBe(true);
    });
  },
);

describe("a dead letter (docs/contract/messages.md, <topic>.dead-letter)", () => {
  it("has the source's key and bytes, and says where they lay and why they were refused", async () => {
    const topic = `${product.topicPrefix}carriers.calls`;
    const [key, messageId] = [randomUUID(), randomUUID()];
    const value = Buffer.from("no call");
    const headers = { "message-id": messageId };
    const messages = [{ key, value, partition: 1, headers }];
    const [sent] = await producer.send({ topic, messages });
    const letter = await eventually(async () => {
      const found = (await readTopic(kafka, `${topic}.dead-letter`)).find(
        (one) => one.headers["source-message-id"] === messageId,
      );
      if (found === undefined) throw new Error("there is no dead letter yet");
      return found;
    });
    expect([letter.key?.toString(), letter.value]).toEqual([key, value]);
    expect(letter.headers).toMatchObject({
      "error-code": "undecodable",
      "error-detail": expect.stringMatching(/./),
      "source-topic": topic,
      "source-partition": "1",
      "source-offset": sent?.baseOffset,
    });
  });
});
