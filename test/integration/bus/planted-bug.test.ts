import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { ensureTopics } from "../../../infra/topics/ensure-topics.ts";
import type { Bus } from "../../../services/messages/bus/bus.ts";
import { openBus } from "../../../services/messages/bus/bus.ts";
import { outgoing } from "../../../services/messages/bus/outgoing.ts";
import { DEFAULT_RETRY_SCHEDULE } from "../../../services/messages/retry-schedule.ts";
import { onceEach, startTopicConsumer } from "../../../services/messages/bus/topic-consumer.ts";
import { queryRows } from "../../../services/platform/db/transaction.ts";
import { newId } from "../../../services/platform/ids.ts";
import { createLogger } from "../../../services/platform/logger.ts";
import { eventually } from "../../support/eventually.ts";
import type { TestDatabase } from "../../support/stack/test-stack.ts";
import {
  createTestDatabase,
  testStack,
  uniqueTopicPrefix,
} from "../../support/stack/test-stack.ts";

const CONSUMER = "planted";
const BUGGY = "00000000-0000-7000-8000-000000000001";

let database: TestDatabase;
let bus: Bus;

beforeAll(async () => {
  const stack = testStack();
  database = await createTestDatabase();
  const prefix = uniqueTopicPrefix();
  await ensureTopics({
    brokers: [stack.kafka_brokers],
    registryUrl: stack.schema_registry_url,
    prefix,
    replication: 1,
    retrySchedule: DEFAULT_RETRY_SCHEDULE,
    eventsRetentionMs: null,
    log: () => undefined,
  });
  bus = await openBus({
    config: {
      DATABASE_URL: database.url,
      DATABASE_ROLE: "none",
      DATABASE_POOL_SIZE: 4,
      KAFKA_BROKERS: [stack.kafka_brokers],
      SCHEMA_REGISTRY_URL: stack.schema_registry_url,
      TOPIC_PREFIX: prefix,
      KAFKA_SESSION_TIMEOUT: 8_000,
    },
    service: CONSUMER,
    log: createLogger(CONSUMER, "silent"),
    signal: new AbortController().signal,
  });
}, 60_000);

afterAll(async () => {
  await bus.close();
  await database.drop();
}, 30_000);

function request(orderId: string) {
  const message = { kind: "open_case", order_id: orderId, account_id: BUGGY, attempt: 1 } as const;
  const address = { key: "one partition", messageId: newId(bus.clock.now()) };
  return outgoing(bus, "porting.review-requests", { ...address, message });
}

describe("a handler with a bug", () => {
  it("is tried five times, then the message is parked with an alarm and the partition goes on", async () => {
    const calls: string[] = [];
    const consumer = await startTopicConsumer(bus, {
      consumer: CONSUMER,
      bugBackoffMs: [10, 10, 10, 10],
      handlers: {
        "porting.review-requests": onceEach(bus, CONSUMER, (_tx, { message }) => {
          calls.push(message.order_id);
          if (message.order_id === BUGGY) return Promise.reject(new TypeError("planted"));
          return Promise.resolve();
        }),
      },
    });
    await bus.producer.send([request(BUGGY), request("after")]);
    await eventually(() => expect(calls).toContain("after"));
    await consumer.stop();
    expect(calls).toEqual([BUGGY, BUGGY, BUGGY, BUGGY, BUGGY, "after"]);
    const parked = await queryRows(bus.pool, {
      text: "select error_code, state from messaging.dead_letters",
    });
    expect(parked).toEqual([{ error_code: "handler_failed", state: "parked" }]);
    expect(await bus.metrics.text()).toMatch(/dead_letters_total\{.*code="handler_failed".*\} 1/);
    const inbox = await queryRows(bus.pool, { text: "select message_id from messaging.inbox" });
    expect(inbox).toHaveLength(1);
  }, 60_000);
});
