/** @tier all */
import { beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { Kafka } from "kafkajs";
import type { Pool } from "pg";
import { queryRows } from "../../../services/platform/db/transaction.ts";
import { recordPosition } from "../../../services/platform/inbox/inbox.ts";
import { commitPositions } from "../../../services/platform/kafka/group-positions.ts";
import { createLogger } from "../../../services/platform/logger.ts";
import { KnownEnds } from "../../../services/outbox-relay/relay/store/known-ends.ts";
import { createRelayPool } from "../../../services/outbox-relay/relay/store/outbox-rows.ts";
import { expectations } from "../../../services/outbox-relay/reconcile/store/reconcile-step.ts";
import { resetTopic } from "../../../services/outbox-relay/topic-reset/reset-topic.ts";
import { createTestDatabase, type TestDatabase } from "../../support/stack/test-stack.ts";
import { openPoolAt } from "../../support/stack/test-pool.ts";
import { createTestTopics } from "../../support/stack/test-topics.ts";
import { testKafka } from "../../support/stack/test-kafka.ts";
import { endAfterTests } from "../../support/lifetime/end-after-tests.ts";

const log = createLogger("test", "silent");
const LIFECYCLE = "order-lifecycle";
const BACKLOG = 30_000;
const HANDLED = 100;

let database: TestDatabase;
let pool: Pool;
let relayPool: Pool;
let kafka: Kafka;
let prefix: string;
let busy: string;
let quiet: string;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = openPoolAt(database.url, { size: 2 });
  relayPool = createRelayPool({ url: database.url, service: "test", log });
  endAfterTests(() => relayPool.end());
  kafka = testKafka();
  prefix = await createTestTopics();
  busy = `${prefix}porting.events`;
  quiet = `${prefix}porting.review-results`;
});

beforeEach(async () => {
  await pool.query(`truncate messaging.outbox, messaging.unsent_messages, messaging.sent_messages,
    messaging.inbox, messaging.consumer_positions`);
});

/** Rows as the relay leaves them, consecutive on partition 0. */
async function sent(topic: string, count: number): Promise<void> {
  await pool.query(
    `insert into messaging.outbox (message_id, topic, shard)
     select messaging.uuid_at(now()), $1, 0 from generate_series(1, $2::integer) n`,
    [topic, count],
  );
  await pool.query(
    `with sent as (delete from messaging.unsent_messages returning id, day)
     insert into messaging.sent_messages (id, day, kafka_partition, kafka_offset)
     select id, day, 0, row_number() over (order by id) - 1 from sent`,
  );
}

interface Counts {
  readonly unsent: number;
  readonly placed: number;
}

async function counts(topic: string): Promise<Counts | undefined> {
  const [row] = await queryRows<Counts>(pool, {
    text: `select count(*) filter (where waits) as unsent, count(kafka_offset) as placed
      from messaging.outbox_progress where topic = $1`,
    values: [topic],
  });
  return row;
}

/** How many messages became unsent again, as the relay is told. */
async function unsentAgain(): Promise<number> {
  const [row] = await queryRows<{ unsent_again: number }>(pool, {
    text: "select unsent_again from messaging.reconciliation",
  });
  return row?.unsent_again ?? -1;
}

async function positions(topic: string): Promise<number[]> {
  const rows = await queryRows<{ at: number }>(pool, {
    text: `select next_offset as at from messaging.consumer_positions where topic = $1
      order by kafka_partition`,
    values: [topic],
  });
  return rows.map(({ at }) => at);
}

function reset(topic: string, mayGoOn = (): boolean => true): Promise<number> {
  const expected = expectations(prefix);
  const parts = { pool: relayPool, kafka, topicPrefix: prefix, expected, mayGoOn };
  return resetTopic(parts, topic);
}

describe("a topic that was recreated with a large backlog", () => {
  it("is detected from rows that many others followed", async () => {
    await sent(quiet, 3);
    await sent(busy, BACKLOG);
    const ends = new KnownEnds(relayPool, prefix);
    const found = await ends.look();
    expect(found).toContainEqual({ topic: busy, partition: 0, end: BACKLOG });
    expect(found).toContainEqual({ topic: quiet, partition: 0, end: 3 });
    await pool.query("delete from messaging.outbox where topic = $1", [quiet]);
    expect(await ends.look()).toEqual(expect.arrayContaining([...found]));
    ends.forget(quiet);
    expect(await ends.look()).toEqual([{ topic: busy, partition: 0, end: BACKLOG }]);
  });

  it("has its messages without effect sent again, also after an interrupted first attempt", async () => {
    await sent(busy, BACKLOG);
    await pool.query(
      `insert into messaging.inbox (consumer, message_id)
       select 'webhook-sender', message_id from messaging.outbox where id % 2 = 0`,
    );
    await pool.query(
      `insert into messaging.dead_letters (id, consumer, topic, kafka_partition, kafka_offset,
         message_id, error_code, error_detail)
       select message_id, 'event-log', topic, 0, kafka_offset, message_id, 'undecodable', ''
       from messaging.outbox_progress where kafka_offset < $1 and id % 2 = 0`,
      [HANDLED],
    );
    await recordPosition(pool, "event-log", { topic: busy, partition: 0, nextOffset: 7 });
    let pages = 2;
    const first = await reset(busy, () => (pages -= 1) >= 0);
    expect(await positions(busy)).toEqual([7]);
    expect((await counts(busy))?.placed).toBeGreaterThan(0);
    const second = await reset(busy);
    const unsent = BACKLOG - HANDLED / 2;
    expect(first).toBeGreaterThan(0);
    expect(first + second).toBe(unsent);
    expect(await unsentAgain()).toBe(unsent);
    expect(await counts(busy)).toEqual({ unsent, placed: 0 });
    expect(await positions(busy)).toEqual([0]);
  });

  it("does not move a consumer whose group is on the new topic", async () => {
    const producer = kafka.producer();
    await producer.connect();
    const messages = [0, 0, 0, 0, 0, 1].map((partition) => ({ partition, value: "x" }));
    await producer.send({ topic: quiet, messages });
    await producer.disconnect();
    const offsets = new Map([
      [0, 3],
      [1, 40],
    ]);
    const begun = performance.now();
    await commitPositions(kafka, { group: prefix + LIFECYCLE, topic: quiet, offsets });
    // Kafka's client itself waits 5 s for a fetch: reconciling took two minutes.
    expect(performance.now() - begun).toBeLessThan(4_500);
    for (const partition of [0, 1, 2]) {
      await recordPosition(pool, LIFECYCLE, { topic: quiet, partition, nextOffset: 50 });
    }
    await reset(quiet);
    expect(await positions(quiet)).toEqual([3, 0, 0]);
  });
});
