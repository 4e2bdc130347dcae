/** @tier all */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { reconcileDatabase } from "../../../infra/backup/reconcile.ts";
import { freePort } from "../../../infra/start/supervisor/ports.ts";
import type { ServiceName } from "../../../infra/start/supervisor/service-table.ts";
import { requireReconciled } from "../../../services/messages/bus/restore-guard.ts";
import { fetchAllCommitted } from "../../../services/platform/kafka/group-positions.ts";
import { call } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import { startProductAt, testPlace } from "../../support/product/product.ts";
import {
  createTestDatabase,
  testStack,
  type TestDatabase,
} from "../../support/stack/test-stack.ts";
import { DEFAULT_RETRY_SCHEDULE } from "../../../services/messages/retry-schedule.ts";
import { temporaryFolder } from "../../support/lifetime/temporary-folder.ts";
import { endAfterTests } from "../../support/lifetime/end-after-tests.ts";
import { openPoolAt } from "../../support/stack/test-pool.ts";
import { createTestTopics } from "../../support/stack/test-topics.ts";
import { testKafka } from "../../support/stack/test-kafka.ts";
import { adminOf, adminVariables } from "../../support/stack/kafka-access.ts";

const { kafka_brokers: kafkaBrokers, schema_registry_url: registryUrl } = testStack();
const kafka = testKafka();
const folder = temporaryFolder("guard");
const secretsKey = randomBytes(32).toString("base64");
let topicPrefix: string;
/** The lost database, and the one restored from an older backup of it. */
let lost: TestDatabase;
let restored: TestDatabase;

beforeAll(async () => {
  [lost, restored] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  topicPrefix = await createTestTopics({ retrySchedule: DEFAULT_RETRY_SCHEDULE });
  const place = testPlace(lost);
  const services = ["api", "outbox-relay", "event-log", "webhook-sender"] as const;
  const product = await startProductAt(place, { services, topicPrefix });
  const body = { phone_numbers: ["+12125550100"] };
  const url = `${product.apiUrl}/v2/porting_orders`;
  expect((await call(url, { method: "POST", key: product.apiKey, body })).status).toBe(201);
  await eventually(async () => {
    const groups = ["event-log", "webhook-sender"].map((name) => topicPrefix + name);
    expect(new Set((await fetchAllCommitted(kafka, groups)).map(({ group }) => group)).size).toBe(
      2,
    );
  });
  await product.stop();
});

async function look({ url }: TestDatabase): Promise<void> {
  await requireReconciled({ db: openPoolAt(url, { size: 1 }), kafka, topicPrefix });
}

async function environment(over: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  const port = String(await freePort());
  return {
    ...process.env,
    DATABASE_URL: restored.url,
    ...adminVariables(kafkaBrokers),
    SCHEMA_REGISTRY_URL: registryUrl,
    TOPIC_PREFIX: topicPrefix,
    SECRETS_KEY: secretsKey,
    DOCUMENTS_DIR: join(folder, "documents"),
    API_PORT: port,
    DESK_PORT: port,
    ...over,
  };
}

async function start(service: ServiceName, over: NodeJS.ProcessEnv = {}) {
  const main = join(import.meta.dirname, `../../../services/${service}/main.ts`);
  const env = await environment(over);
  const child = spawn(process.execPath, [main], { env, stdio: ["ignore", "pipe", "ignore"] });
  endAfterTests(() => child.kill("SIGKILL"));
  const output: string[] = [];
  child.stdout.on("data", (chunk: Buffer) => output.push(chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  return {
    child,
    ended,
    output: () => output.join(""),
    url: `http://127.0.0.1:${env["API_PORT"]}`,
  };
}

describe("a database that was restored", () => {
  it("is not detected by mistake while its own services start and stop", async () => {
    await look(lost);
  });

  it.each([
    "api",
    "desk",
    "requirement-review",
    "outbox-relay",
    "event-log",
    "order-lifecycle",
    "carrier-adapter",
    "webhook-sender",
  ] as const)("keeps %s from starting, and names the remedy", async (service) => {
    const process = await start(service);
    expect(await process.ended).toBe(1);
    expect(process.output()).toMatch(/stop all services and run `npm run backup -- reconcile`/);
  });

  it.each(["api", "desk"] as const)(
    "lets %s serve while Kafka is down and the restore cannot be detected",
    async (service) => {
      const front = await start(service, { KAFKA_BROKERS: "127.0.0.1:1" });
      await eventually(async () => expect((await fetch(`${front.url}/readyz`)).status).toBe(200));
      expect(front.output()).toMatch(/it is not known yet whether the database was restored/);
      front.child.kill("SIGTERM");
      expect(await front.ended).toBe(0);
    },
  );

  it("is served again after its reconciliation", async () => {
    await expect(look(restored)).rejects.toThrow(/lacks effects of messages/);
    const addresses = testPlace(restored);
    const place = { databaseUrl: restored.url, bus: adminOf(addresses) };
    const { orphans } = await reconcileDatabase(place, topicPrefix);
    expect(orphans.map(({ topic }) => topic)).toEqual([`${topicPrefix}porting.events`]);
    await look(restored);
    const services = ["api", "outbox-relay", "event-log"] as const;
    const env = { SECRETS_KEY: secretsKey };
    const product = await startProductAt(addresses, { services, env, topicPrefix });
    await product.stop();
  });
});

describe("a database that lacks only calls", () => {
  it("is detected, and is served after its reconciliation", async () => {
    const [lost, restored] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    const prefix = await createTestTopics();
    const product = await startProductAt(testPlace(lost), {
      services: ["carrier-adapter"],
      topicPrefix: prefix,
    });
    const producer = kafka.producer();
    await producer.connect();
    endAfterTests(() => producer.disconnect());
    // It cannot be decoded: its dead letter is its effect.
    await producer.send({ topic: `${prefix}carriers.calls`, messages: [{ value: "a call" }] });
    const group = `${prefix}carrier-adapter-calls`;
    await eventually(async () => expect(await fetchAllCommitted(kafka, [group])).toHaveLength(1));
    await product.stop();

    const guard = ({ url }: TestDatabase) =>
      requireReconciled({ db: openPoolAt(url, { size: 1 }), kafka, topicPrefix: prefix });
    await guard(lost);
    await expect(guard(restored)).rejects.toThrow(group);
    const place = { databaseUrl: restored.url, bus: adminOf(testPlace(restored)) };
    await reconcileDatabase(place, prefix);
    await guard(restored);
  });
});
