import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { readHistory, readSchemas } from "../../../services/messages/generate/schema-files.ts";
import { TOPICS, type StaticTopicName } from "../../../services/messages/topics.ts";
import { createAvroRecord } from "../../../services/platform/avro/avro-record.ts";
import { createSchemaRegistry } from "../../../services/platform/avro/schema-registry.ts";
import { readSchemaId } from "../../../services/platform/avro/wire-format.ts";
import { systemClock } from "../../../services/platform/clock.ts";
import { call, dataOf } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import { confirmAtDesk, fulfilOrder, submitOrder } from "../../support/orders/fulfil-order.ts";
import { startOwnProduct, type OwnProduct } from "../../support/product/product.ts";
import { generatedReader } from "../../support/schemas/generated-reader.ts";
import { asReadBy } from "../../support/schemas/schema-values.ts";
import { testKafka } from "../../support/stack/test-kafka.ts";
import { readTopic } from "../../support/stack/topic-reader.ts";

/** The topics that an order without rejections leaves messages on. */
const USED = [
  "porting.events",
  "porting.review-requests",
  "porting.review-results",
  "porting.carrier-requests",
  "porting.carrier-results",
  "carriers.requests",
  "carriers.updates",
  "carriers.receipts",
] as const satisfies readonly StaticTopicName[];

let product: OwnProduct;

beforeAll(async () => {
  product = await startOwnProduct();
  const url = `${product.apiUrl}/v2/porting_orders`;
  const key = product.apiKey;
  const body = { phone_numbers: ["+12125550143"] };
  const made = dataOf(await call(url, { method: "POST", key, body }));
  const orderId = z.string().parse(made[0]?.["id"]);
  await fulfilOrder(product, orderId);
  await submitOrder(product, orderId);
  await confirmAtDesk(product, orderId);
  await eventually(async () => {
    const { body: order } = await call(`${url}/${orderId}`, { key });
    expect(order?.["status"]).toBe("completed");
  });
});

/** The first version of a topic's schema. */
function firstVersionOf(topic: StaticTopicName) {
  const { name: record } = TOPICS[topic].schema;
  const [file = ""] = [...readSchemas(process.cwd())].find(([, { name }]) => name === record) ?? [];
  const [first] = readHistory(process.cwd(), file);
  if (first === undefined) throw new Error(`${record} has no history.`);
  return first;
}

describe("a reader generated from the first version of a schema", () => {
  it.each(USED)("reads what is on %s today", async (topic) => {
    const messages = await readTopic(testKafka(), product.topicPrefix + topic);
    expect(messages.length).toBeGreaterThan(0);
    const first = firstVersionOf(topic);
    const [old, now] = [await generatedReader(first), createAvroRecord(TOPICS[topic].schema)];
    const registry = createSchemaRegistry({
      access: { SCHEMA_REGISTRY_URL: product.registryUrl },
      clock: systemClock,
    });
    for (const { value } of messages) {
      const bytes = value ?? Buffer.of();
      const writer = await registry.schemaById(readSchemaId(bytes));
      const read = old.readerOf(writer)(bytes);
      expect(read).toEqual(asReadBy(first, now.readerOf(writer)(bytes)));
      expect(Object.keys(z.looseObject({}).parse(read))).toHaveLength(first.fields.length);
    }
  });
});
