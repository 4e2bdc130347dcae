/** @tier all */
import { beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { Kafka } from "kafkajs";
import type { Pool } from "pg";
import { queryRows } from "../../../services/platform/db/transaction.ts";
import { recordPosition } from "../../../services/platform/inbox/inbox.ts";
import { commitPositions } from "../../../services/platform/kafka/group-positions.ts";
import { createLogger } from "../../../services/platform/logger.ts";
import { KnownEnds } from "../../../services/outbox-relay/relay/store/known-ends.ts";
import { createRelayPool } from "../../../services/outbox-relay/relay/relay-database.ts";
import { resetTopic } from "../../../services/outbox-relay/topic-reset/reset-topic.ts";
import { createTestDatabase, type TestDatabase } from "../../support/stack/test-stack.ts";
import { openPoolAt } from "../../support/stack/test-pool.ts";
import { createTestTopics } from "../../support/stack/test-topics.ts";
import { testKafka } from "../../support/stack/test-kafka.ts";
import { endAfterTests } from "../../support/lifetime/end-after-tests.ts";

const log = createLogger("test", "silent");
const LIFECYCLE = "order-lifecycle";
const BACKLOG = 30_000;

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
  await pool.query(`truncate messaging.outbox, messaging.sent_messages, messaging.deferred_topics,
    messaging.inbox, messaging.consumer_positions`);
});

/** Rows as the relay leaves them, consecutive on partition 0. */
async function sent(topic: string, count: number): Promise<void> {
  await pool.query(
    `with written as (
      insert into messaging.outbox (message_id, topic)
      select messaging.uuid_at(now()), $1 from generate_series(1, $2::integer) n returning id, day
    ), placed as (
      insert into messaging.sent_messages (id, day, kafka_partition, kafka_offset)
      select id, day, 0, row_number() over (order by id) - 1 from written
    )
    update messaging.relay_state set handled_id = (select max(id) from written)`,
    [topic, count],
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

/** Whether the topic is left to the table, from its first message on. */
async function isDeferred(topic: string): Promise<boolean> {
  const rows = await queryRows(pool, {
    text: `select from messaging.deferred_topics d where d.topic = $1
      and d.from_id = (select min(o.id) from messaging.outbox o where o.topic = $1)`,
    values: [topic],
  });
  return rows.length === 1;
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
  const onDeferred = (): void => undefined;
  const parts = { pool: relayPool, kafka, topicPrefix: prefix, mayGoOn, onDeferred };
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

  it("has its messages sent again, also after an interrupted first attempt", async () => {
    await sent(busy, BACKLOG);
    await recordPosition(pool, "event-log", { topic: busy, partition: 0, nextOffset: 7 });
    let pages = 2;
    const first = await reset(busy, () => (pages -= 1) >= 0);
    expect(await positions(busy)).toEqual([7]);
    expect((await counts(busy))?.placed).toBeGreaterThan(0);
    const second = await reset(busy);
    expect(first).toBeGreaterThan(0);
    expect(first + second).toBe(BACKLOG);
    expect(await isDeferred(busy)).toBe(true);
    expect(await counts(busy)).toEqual({ unsent: BACKLOG, placed: 0 });
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
