import { beforeEach, describe, expect, it } from "@jest/globals";
import type { Bus } from "../../../services/messages/bus/bus.ts";
import { onceTogether, togetherByOwnId } from "../../../services/messages/bus/once-together.ts";
import { outgoing } from "../../../services/messages/bus/outgoing.ts";
import { startTopicConsumer } from "../../../services/messages/bus/topic-consumer.ts";
import { AppError } from "../../../services/platform/errors.ts";
import { newId } from "../../../services/platform/ids.ts";
import { queryRows } from "../../../services/platform/db/transaction.ts";
import { eventually } from "../../support/eventually.ts";
import { testPlace } from "../../support/product/product.ts";
import { openTestBus } from "../../support/stack/test-bus.ts";
import { createTestDatabase } from "../../support/stack/test-stack.ts";
import { createTestTopics } from "../../support/stack/test-topics.ts";

const CONSUMER = "planted";
const ACCOUNT = "00000000-0000-7000-8000-000000000001";
const BAD = "bad";

let bus: Bus;

beforeEach(async () => {
  const place = testPlace(await createTestDatabase());
  bus = await openTestBus({ ...place, topicPrefix: await createTestTopics() }, CONSUMER);
});

/** Requests that arrive in one fetch: all of one partition, and there before the consumer. */
async function send(...named: readonly (readonly [orderId: string, messageId: string])[]) {
  const messages = named.map(([orderId, messageId]) => {
    const message = { order_id: orderId, account_id: ACCOUNT, attempt: 1 };
    const address = { key: "one partition", messageId };
    return outgoing(bus, "porting.review-requests", {
      ...address,
      message: { ...message, kind: "open_case" },
    });
  });
  await bus.producer.send(messages);
}

const id = (): string => newId(bus.clock.now());

/** Consumes until `last` has had its effect; returns the effects, with the transaction of each. */
async function consume(last: string, start: typeof onceTogether) {
  const committed: { orderId: string; transaction: string }[] = [];
  const locked: string[][] = [];
  const consumer = await startTopicConsumer(bus, {
    consumer: CONSUMER,
    handlers: {
      "porting.review-requests": start(bus, CONSUMER, {
        lock: (_tx, messages) => {
          locked.push(messages.map((one) => one.order_id));
          return Promise.resolve(null);
        },
        handle: async ({ tx, onCommit }, { message: { order_id: orderId } }) => {
          if (orderId === BAD) throw new AppError("rule_broken", "planted");
          const [row] = await queryRows<{ id: string }>(tx, {
            text: "select pg_current_xact_id()::text as id",
          });
          onCommit(() => committed.push({ orderId, transaction: row?.id ?? "" }));
        },
      }),
    },
  });
  await eventually(() => expect(committed.map(({ orderId }) => orderId)).toContain(last));
  await consumer.stop();
  return { effects: committed.map(({ orderId }) => orderId), committed, locked };
}

const rowsOf = (table: string) => queryRows(bus.pool, { text: `select * from messaging.${table}` });

describe("messages that come together", () => {
  it("have their effects in one transaction, each id once and in order", async () => {
    const [first, second, third] = [id(), id(), id()];
    await send(["1", first], ["2", second], ["1", first], ["3", third]);
    const { effects, committed, locked } = await consume("3", onceTogether);
    expect(effects).toEqual(["1", "2", "3"]);
    expect(new Set(committed.map(({ transaction }) => transaction)).size).toBe(1);
    expect(locked).toEqual([["1", "2", "3"]]);
    expect(await rowsOf("inbox")).toHaveLength(3);
    expect(await rowsOf("consumer_positions")).toEqual([
      expect.objectContaining({ consumer: CONSUMER, next_offset: 4 }),
    ]);
  });

  it("are applied alone where one cannot be, which is dead-lettered alone", async () => {
    await send(["1", id()], ["2", id()], [BAD, id()], ["3", id()]);
    const { effects } = await consume("3", onceTogether);
    expect(effects).toEqual(["1", "2", "3"]);
    expect(await rowsOf("inbox")).toHaveLength(3);
    const letters = await queryRows(bus.pool, {
      text: "select error_code from messaging.dead_letters",
    });
    expect(letters).toEqual([{ error_code: "rule_broken" }]);
  });

  it("are each handled where they are known by ids of their own", async () => {
    const one = id();
    await send(["1", one], ["2", one]);
    expect((await consume("2", togetherByOwnId)).effects).toEqual(["1", "2"]);
    expect(await rowsOf("inbox")).toHaveLength(1);
  });
});
