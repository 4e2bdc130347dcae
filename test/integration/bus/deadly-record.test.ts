import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { projectRoot } from "../../../infra/project-root.ts";
import { Supervisor } from "../../../infra/start/supervisor/supervisor.ts";
import type { Bus } from "../../../services/messages/bus/bus.ts";
import { outgoing } from "../../../services/messages/bus/outgoing.ts";
import { queryRows } from "../../../services/platform/db/transaction.ts";
import { newId } from "../../../services/platform/ids.ts";
import { buildCarrierUpdate } from "../../support/carriers/carrier-update-factory.ts";
import { eventually } from "../../support/eventually.ts";
import { endAfterTests } from "../../support/lifetime/end-after-tests.ts";
import { temporaryFolder } from "../../support/lifetime/temporary-folder.ts";
import { testPlace } from "../../support/product/product.ts";
import { databaseVariablesOf } from "../../support/stack/database-access.ts";
import { variablesOf } from "../../support/stack/kafka-access.ts";
import { openTestBus } from "../../support/stack/test-bus.ts";
import { createTestDatabase } from "../../support/stack/test-stack.ts";
import { createTestTopics } from "../../support/stack/test-topics.ts";

const SERVICE = "carrier-adapter";
const HUNG_AFTER_MS = 1_000;

let bus: Bus;
let supervisor: Supervisor;

beforeAll(async () => {
  const place = testPlace(await createTestDatabase());
  const topicPrefix = await createTestTopics();
  bus = await openTestBus({ ...place, topicPrefix });
  supervisor = new Supervisor({
    dataDir: temporaryFolder("deadly"),
    servicesFolder: join(projectRoot, "test", "support", "programs", "deadly-handler"),
    hungAfterMs: HUNG_AFTER_MS,
    log: () => undefined,
    env: {
      ...process.env,
      ...variablesOf(SERVICE),
      ...databaseVariablesOf(SERVICE, place.databaseUrl),
      KAFKA_BROKERS: place.kafkaBrokers,
      SCHEMA_REGISTRY_URL: place.registryUrl,
      TOPIC_PREFIX: topicPrefix,
      SECRETS_KEY: randomBytes(32).toString("base64"),
      LOG_LEVEL: "warn",
    },
  });
  endAfterTests(() => supervisor.stop(0));
  supervisor.start(SERVICE);
  await supervisor.whenReady();
});

/** Sends an update for each word, on one partition; returns their message ids. */
async function send(...words: readonly string[]): Promise<string[]> {
  const messages = words.map((raw_status) => {
    const address = { key: "one partition", messageId: newId(bus.clock.now()) };
    const message = buildCarrierUpdate({ provider: "us-lsr", raw_status });
    return outgoing(bus, "carriers.updates", { ...address, message });
  });
  await bus.producer.send(messages);
  return messages.map(({ messageId }) => messageId);
}

async function handled(ids: readonly string[]): Promise<string[]> {
  const rows = await queryRows<{ message_id: string }>(bus.pool, {
    text: "select message_id from messaging.inbox where message_id = any($1::uuid[])",
    values: [ids],
  });
  return rows.map((row) => row.message_id).sort();
}

describe("a record whose handler never ends", () => {
  it("is dead-lettered unread when it has hung three readers, and those around it are handled", async () => {
    const [first = "", endless = "", after = "", last = ""] = await send(
      ...["FIRST", "ENDLESS", "AFTER", "LAST"],
    );
    await eventually(async () => {
      expect(await handled([first, after, last])).toEqual([first, after, last].sort());
    }, 120_000);
    const letters = await queryRows(bus.pool, {
      text: "select message_id, error_code, state from messaging.dead_letters",
    });
    expect(letters).toEqual([{ message_id: endless, error_code: "handler_died", state: "parked" }]);
    await eventually(async () => {
      const text = "select topic from messaging.read_attempts";
      expect(await queryRows(bus.pool, { text })).toEqual([]);
    });
    const again = await send("AGAIN");
    await eventually(async () => expect(await handled(again)).toEqual(again));
  }, 180_000);
});
