import { beforeAll, describe, expect, it } from "@jest/globals";
import type { Bus } from "../../../services/messages/bus/bus.ts";
import { outgoing } from "../../../services/messages/bus/outgoing.ts";
import { onceEach, startTopicConsumer } from "../../../services/messages/bus/topic-consumer.ts";
import { queryRows } from "../../../services/platform/db/transaction.ts";
import { newId } from "../../../services/platform/ids.ts";
import { eventually } from "../../support/eventually.ts";
import { createTestDatabase } from "../../support/stack/test-stack.ts";
import { testPlace } from "../../support/product/product.ts";
import { openTestBus } from "../../support/stack/test-bus.ts";
import { createTestTopics } from "../../support/stack/test-topics.ts";

const CONSUMER = "planted";
const BUGGY = "00000000-0000-7000-8000-000000000001";

let bus: Bus;

beforeAll(async () => {
  const place = testPlace(await createTestDatabase());
  bus = await openTestBus({ ...place, topicPrefix: await createTestTopics() }, CONSUMER);
});

function request(orderId: string) {
  const message = { kind: "open_case", order_id: orderId, account_id: BUGGY, attempt: 1 } as const;
  const address = { key: "one partition", messageId: newId(bus.clock.now()) };
  return outgoing(bus, "porting.review-requests", { ...address, message });
}

describe("a handler with a bug", () => {
  it("is retried up to five attempts; then the message is dead-lettered, an error is logged and the partition continues", async () => {
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
    const letters = await queryRows(bus.pool, {
      text: "select error_code, state from messaging.dead_letters",
    });
    expect(letters).toEqual([{ error_code: "handler_failed", state: "parked" }]);
    const { text } = await bus.metrics.page();
    expect(text).toMatch(/dead_letters_total\{.*code="handler_failed".*\} 1/);
    const inbox = await queryRows(bus.pool, { text: "select message_id from messaging.inbox" });
    expect(inbox).toHaveLength(1);
  });
});
