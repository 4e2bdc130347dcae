/** @tier nightly */

import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { projectRoot } from "../../../infra/project-root.ts";
import { freePort } from "../../../infra/start/supervisor/ports.ts";
import { subjectOf, TOPICS } from "../../../services/messages/topics.ts";
import { createSchemaRegistry } from "../../../services/platform/avro/schema-registry.ts";
import { systemClock } from "../../../services/platform/clock.ts";
import { call, dataOf } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import { endAfterTests } from "../../support/lifetime/end-after-tests.ts";
import { adminVariables } from "../../support/stack/kafka-access.ts";
import { startOwnStack } from "../../support/stack/own-stack.ts";
import { testKafka } from "../../support/stack/test-kafka.ts";
import { createTestDatabase, testStack } from "../../support/stack/test-stack.ts";
import { createTestTopics } from "../../support/stack/test-topics.ts";
import { readTopic } from "../../support/stack/topic-reader.ts";
import {
  startOwnProduct,
  startProductAt,
  testPlace,
  type Product,
} from "../../support/product/product.ts";

const SERVICES = ["api", "outbox-relay", "event-log"] as const;
const NO_REGISTRY = "http://127.0.0.1:1";

it("services that have run before start while the registry is away, and an order has its event in the feed", async () => {
  const env = { SECRETS_KEY: randomBytes(32).toString("base64") };
  const before = await startOwnProduct({ services: SERVICES, env });
  await before.stop();
  const { topicPrefix } = before;
  const place = { ...before, registryUrl: NO_REGISTRY };
  const options = { services: SERVICES, env, topicPrefix };
  const { apiUrl, apiKey: key } = await startProductAt(place, options);
  const body = { phone_numbers: ["+12125558201"] };
  const order = await call(`${apiUrl}/v2/porting_orders`, { method: "POST", key, body });
  expect(order.status).toBe(201);
  await eventually(async () => {
    const feed = await call(`${apiUrl}/v2/porting/events`, { key });
    expect(dataOf(feed)).toEqual([expect.objectContaining({ type: "porting_order.created" })]);
  });
});

/** A registry of its own with our subjects, which has given their ids to others. */
async function otherRegistry(topicPrefix: string): Promise<string> {
  const kafkaBrokers = testStack().kafka_brokers;
  const stack = await startOwnStack({ existing: { kafkaBrokers }, durable: false });
  const { registryUrl } = stack.addresses;
  const registry = createSchemaRegistry({
    access: { SCHEMA_REGISTRY_URL: registryUrl },
    clock: systemClock,
  });
  for (let n = 0; n < 50; n += 1) {
    const other = { type: "record", name: `Other${n}`, fields: [{ name: "f", type: "int" }] };
    await registry.register(`other-${n}`, JSON.stringify(other));
  }
  for (const [topic, { text }] of Object.entries(TOPICS)) {
    await registry.register(subjectOf(topicPrefix + topic), text);
  }
  return registryUrl;
}

it("what was written before the registry was set up anew, with other ids, is read like what comes after", async () => {
  const env = { SECRETS_KEY: randomBytes(32).toString("base64") };
  const place = testPlace(await createTestDatabase());
  const topicPrefix = await createTestTopics();
  const registryUrl = await otherRegistry(topicPrefix);
  const create = async ({ apiUrl, apiKey: key }: Product, number: string): Promise<void> => {
    const body = { phone_numbers: [number] };
    const order = await call(`${apiUrl}/v2/porting_orders`, { method: "POST", key, body });
    expect(order.status).toBe(201);
  };
  const writing = { services: ["api", "outbox-relay"] as const, env, topicPrefix };
  const before = await startProductAt({ ...place, registryUrl }, writing);
  await create(before, "+12125558202");
  await eventually(async () => {
    expect(await readTopic(testKafka(), `${topicPrefix}porting.events`)).toHaveLength(1);
  });
  await before.stop();
  const after = await startProductAt(place, { services: SERVICES, env, topicPrefix });
  await create(after, "+12125558203");
  const [old, fresh] = await eventually(async () => {
    const written = await readTopic(testKafka(), `${topicPrefix}porting.events`);
    expect(written).toHaveLength(2);
    return written.toSorted((one, other) => one.timestamp - other.timestamp);
  });
  expect(old?.value?.readUInt32BE(1)).not.toBe(fresh?.value?.readUInt32BE(1));
  await eventually(async () => {
    const feed = await call(`${after.apiUrl}/v2/porting/events`, { key: after.apiKey });
    expect(dataOf(feed)).toHaveLength(2);
  });
});

it.each(["sandbox-carrier", "platform-carrier"])(
  "%s, which has no database, answers while it waits for the registry, and stops",
  async (service) => {
    const port = String(await freePort());
    const child = spawn(process.execPath, [join(projectRoot, "services", service, "main.ts")], {
      env: {
        ...adminVariables(testStack().kafka_brokers),
        SCHEMA_REGISTRY_URL: NO_REGISTRY,
        HEALTH_PORT: port,
      },
      stdio: "ignore",
    });
    endAfterTests(() => child.kill("SIGKILL"));
    const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
    const url = `http://127.0.0.1:${port}`;
    await eventually(async () => expect((await fetch(`${url}/healthz`)).status).toBe(200));
    const ready = await fetch(`${url}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([
      503,
      expect.objectContaining({ detail: "Not ready: broker, registry." }),
    ]);
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
  },
);
