import { beforeEach, describe, expect, it } from "@jest/globals";
import type { Bus } from "../../../services/messages/bus/bus.ts";
import { outgoing } from "../../../services/messages/bus/outgoing.ts";
import { onceEach, startTopicConsumer } from "../../../services/messages/bus/topic-consumer.ts";
import { queryRows } from "../../../services/platform/db/transaction.ts";
import { newId } from "../../../services/platform/ids.ts";
import type { RunningConsumer } from "../../../services/platform/kafka/consumer.ts";
import { eventually } from "../../support/eventually.ts";
import { endAfterTests } from "../../support/lifetime/end-after-tests.ts";
import { testPlace } from "../../support/product/product.ts";
import { openTestBus } from "../../support/stack/test-bus.ts";
import { createTestDatabase } from "../../support/stack/test-stack.ts";
import { createTestTopics } from "../../support/stack/test-topics.ts";

const CONSUMER = "planted";
const ACCOUNT = "00000000-0000-7000-8000-000000000001";
const LOCKED = "locked";
/** Keys of the topic's two partitions. */
const [HELD_KEY, FREE_KEY] = ["a", "d"];
const TAKE = "select pg_advisory_xact_lock(hashtext($1))";

let bus: Bus;
let effects: string[];

beforeEach(async () => {
  const place = testPlace(await createTestDatabase());
  bus = await openTestBus({ ...place, topicPrefix: await createTestTopics() }, CONSUMER);
  effects = [];
});

async function send(key: string, ...orderIds: readonly string[]): Promise<number> {
  const messages = orderIds.map((orderId) =>
    outgoing(bus, "porting.review-requests", {
      key,
      messageId: newId(bus.clock.now()),
      message: { kind: "open_case", order_id: orderId, account_id: ACCOUNT, attempt: 1 },
    }),
  );
  const [place] = await bus.producer.send(messages);
  return place?.partition ?? -1;
}

async function start(): Promise<RunningConsumer> {
  const consumer = await startTopicConsumer(bus, {
    consumer: CONSUMER,
    handlers: {
      "porting.review-requests": onceEach(bus, CONSUMER, async (tx, { message }) => {
        if (message.order_id === LOCKED) await queryRows(tx, { text: TAKE, values: [LOCKED] });
        effects.push(message.order_id);
      }),
    },
  });
  return { ...consumer, stop: endAfterTests(() => consumer.stop()) };
}

/** Runs while somebody else has the lock that one order needs. */
async function whileLocked(work: () => Promise<void>): Promise<void> {
  const other = await bus.pool.connect();
  try {
    await queryRows(other, { text: "begin" });
    await queryRows(other, { text: "set local idle_in_transaction_session_timeout = 0" });
    await queryRows(other, { text: TAKE, values: [LOCKED] });
    await work();
  } finally {
    await queryRows(other, { text: "rollback" });
    other.release();
  }
}

const offsets = async (): Promise<readonly number[]> => {
  const rows = await queryRows<{ next_offset: number }>(bus.pool, {
    text: "select next_offset from messaging.consumer_positions order by next_offset",
  });
  return rows.map(({ next_offset: next }) => next);
};

describe("a partition whose first message waits for a lock", () => {
  it("does not hold the consumer's other partitions, and goes on in order afterwards", async () => {
    const heldPartition = await send(HELD_KEY, LOCKED, "after it");
    const consumer = await start();
    await whileLocked(async () => {
      expect(await send(FREE_KEY, "free 1")).not.toBe(heldPartition);
      await eventually(() => expect(effects).toEqual(["free 1"]));
      await send(FREE_KEY, "free 2", "free 3");
      await eventually(() => expect(effects).toEqual(["free 1", "free 2", "free 3"]));
    });
    await eventually(() => expect(effects.slice(3)).toEqual([LOCKED, "after it"]));
    await send(HELD_KEY, "later");
    await eventually(() => expect(effects.at(-1)).toBe("later"));
    await consumer.stop();
    expect(effects).toHaveLength(6);
    expect(await offsets()).toEqual([3, 3]);
  });

  it("is left to the next member where the consumer stops meanwhile", async () => {
    await send(HELD_KEY, LOCKED, "after it");
    const first = await start();
    await whileLocked(async () => {
      await send(FREE_KEY, "free 1");
      await eventually(() => expect(effects).toEqual(["free 1"]));
      await first.stop();
    });
    const second = await start();
    await eventually(() => expect(effects).toEqual(["free 1", LOCKED, "after it"]));
    await second.stop();
    expect(await offsets()).toEqual([1, 2]);
  });

  it("is handled once where another member joins meanwhile", async () => {
    await send(HELD_KEY, LOCKED, "after it");
    const consumers = [await start()];
    await whileLocked(async () => {
      await send(FREE_KEY, "free 1");
      await eventually(() => expect(effects).toEqual(["free 1"]));
      consumers.push(await start());
      await eventually(() => expect(consumers.every((one) => one.isJoined())).toBe(true));
      await send(FREE_KEY, "free 2");
      await eventually(() => expect(effects).toEqual(["free 1", "free 2"]));
    });
    await eventually(() => expect(effects.slice(2)).toEqual([LOCKED, "after it"]));
    await Promise.all(consumers.map((consumer) => consumer.stop()));
    expect(effects).toHaveLength(4);
    expect(await offsets()).toEqual([2, 2]);
  });
});
