import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { readTopic } from "../../../examples/analytics/read-topic.ts";
import { readSettings } from "../../../examples/analytics/settings.ts";
import { createCodec } from "../../../services/messages/codec.ts";
import { systemClock } from "../../../services/platform/clock.ts";
import { fetchTopicOffsets } from "../../../services/platform/kafka/topic-offsets.ts";
import { createLogger } from "../../../services/platform/logger.ts";
import { eventually } from "../../support/eventually.ts";
import { endAfterTests } from "../../support/lifetime/end-after-tests.ts";
import { temporaryFolder } from "../../support/lifetime/temporary-folder.ts";
import { buildEvent } from "../../support/orders/event-factory.ts";
import { adminVariables } from "../../support/stack/kafka-access.ts";
import { connectAdmin, testKafka } from "../../support/stack/test-kafka.ts";
import { testStack } from "../../support/stack/test-stack.ts";
import { createTestTopics } from "../../support/stack/test-topics.ts";

const SESSION_OVER_MS = 40_000;

/** The registry at another address, which answers nothing before `opens` does. */
async function startSlowRegistry(registryUrl: string, opens: () => Promise<void>): Promise<string> {
  const { origin, pathname } = new URL(registryUrl);
  const server = createServer((request, response) => {
    void opens()
      .then(() => fetch(origin + (request.url ?? "")))
      .then(async (answer) => {
        const body = Buffer.from(await answer.arrayBuffer());
        const type = answer.headers.get("content-type") ?? "application/json";
        response.writeHead(answer.status, { "Content-Type": type }).end(body);
      });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  endAfterTests(() => {
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}${pathname}`;
}

async function publishEvent(topicPrefix: string): Promise<void> {
  const codec = await createCodec({
    registry: { SCHEMA_REGISTRY_URL: testStack().schema_registry_url },
    topicPrefix,
    signal: new AbortController().signal,
    log: createLogger("test", "silent"),
    clock: systemClock,
  });
  const event = buildEvent("porting_order.created");
  const message = { key: event.sequence_key, value: codec.encode("porting.events", event) };
  const producer = testKafka().producer();
  endAfterTests(() => producer.disconnect());
  await producer.connect();
  await producer.send({ topic: `${topicPrefix}porting.events`, messages: [message] });
}

// The reader ended with code 1: its commit crashed the consumer where the group had dropped it meanwhile.
it("the analytics reader goes on where it stalls for longer than its session", async () => {
  const { kafka_brokers: kafkaBrokers, schema_registry_url: registryUrl } = testStack();
  const topicPrefix = await createTestTopics();
  await publishEvent(topicPrefix);
  // Once each partition of the new topic has its leader.
  await fetchTopicOffsets(testKafka(), `${topicPrefix}porting.events`);
  const admin = await connectAdmin();

  const folder = temporaryFolder("stalled");
  let droppings = 0;
  const dropped = async (): Promise<void> => {
    if (droppings > 0) return;
    await eventually(async () => {
      const group = readFileSync(join(folder, ".group"), "utf8");
      const { groups } = await admin.describeGroups([group]);
      expect(groups[0]?.members).toEqual([]);
    }, SESSION_OVER_MS);
    droppings += 1;
  };
  const env = {
    ...adminVariables(kafkaBrokers),
    SCHEMA_REGISTRY_URL: await startSlowRegistry(registryUrl, dropped),
    TOPIC_PREFIX: topicPrefix,
    DATA_DIR: folder,
  };
  const settings = readSettings(env);
  expect(await readTopic({ settings, once: true })).toBe(1);
  expect(droppings).toBe(1);
  expect(await readTopic({ settings, once: true })).toBe(0);
});
