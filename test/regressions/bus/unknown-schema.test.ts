import { describe, expect, it } from "@jest/globals";
import { call } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import { endAfterTests } from "../../support/lifetime/end-after-tests.ts";
import { startOwnProduct } from "../../support/product/product.ts";
import { connectClient } from "../../support/stack/test-client.ts";
import { testKafka } from "../../support/stack/test-kafka.ts";

describe("a message of ours whose schema the registry does not have", () => {
  it("holds its partition, which the health shows, and is no dead letter", async () => {
    const product = await startOwnProduct({ services: ["desk", "order-lifecycle"] });
    const producer = testKafka().producer();
    endAfterTests(() => producer.disconnect());
    await producer.connect();
    const value = Buffer.alloc(16);
    value.writeUInt32BE(2_000_000_000, 1);
    const topic = `${product.topicPrefix}porting.review-results`;
    await producer.send({ topic, messages: [{ key: "k", value, partition: 1 }] });
    await eventually(async () => {
      const { body } = await call(`${product.deskUrl}/desk/v1/health`, { key: product.deskToken });
      expect(body).toMatchObject({
        status: "stuck",
        stuck_partitions: [
          {
            consumer: "order-lifecycle",
            topic: "porting.review-results",
            partition: 1,
            offset: 0,
            reason: "unknown_schema",
            status: "stuck",
          },
        ],
      });
    });
    const database = await connectClient(product.databaseUrl);
    const { rows } = await database.query("select from messaging.dead_letters");
    expect(rows).toHaveLength(0);
  });
});
