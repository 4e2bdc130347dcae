import { beforeEach, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import type pg from "pg";
import { storeEvents } from "../../../services/domain/event/store/store-events.ts";
import { toStorable } from "../../../services/domain/event/rules/storable-event.ts";
import { inTransaction, queryRows } from "../../../services/platform/db/transaction.ts";
import { newId } from "../../../services/platform/ids.ts";
import { recordPosition } from "../../../services/platform/inbox/inbox.ts";
import type { PartitionSpan } from "../../../services/platform/kafka/topic-offsets.ts";
import { createLogger } from "../../../services/platform/logger.ts";
import { createMetrics } from "../../../services/platform/metrics.ts";
import { writeOutbox } from "../../../services/platform/outbox/outbox.ts";
import {
  dropOutboxPartitions,
  makeOutboxPartitions,
} from "../../../services/outbox-relay/reconcile/store/old-rows.ts";
import { createRelayPool } from "../../../services/outbox-relay/relay/relay-database.ts";
import { expectations } from "../../../services/outbox-relay/reconcile/store/reconcile-step.ts";
import { Reconciler } from "../../../services/outbox-relay/reconcile/reconciler.ts";
import { eventually } from "../../support/eventually.ts";
import { freshEvent } from "../../support/orders/event-factory.ts";
import { createTestDatabase, type TestDatabase } from "../../support/stack/test-stack.ts";
import { openPoolAt } from "../../support/stack/test-pool.ts";
import { endAfterTests } from "../../support/lifetime/end-after-tests.ts";

const log = createLogger("test", "silent");
const RESULTS = "porting.review-results";
const EVENTS = "porting.events";
const UNWATCHED = "carriers.requests";
const LIFECYCLE = "order-lifecycle";

let database: TestDatabase;
let pool: pg.Pool;
let relayPool: pg.Pool;
let reconciler: Reconciler;
/** As Kafka has the topics; one that is not among them is not asked. */
let spans: Map<string, readonly PartitionSpan[] | null>;
let isKafkaAway = false;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = openPoolAt(database.url, { size: 5 });
  relayPool = createRelayPool({ url: database.url, service: "test", log });
  endAfterTests(() => relayPool.end());
});

beforeEach(() => {
  reconciler = new Reconciler({
    pool: relayPool,
    expected: expectations(""),
    fetchSpans: () => (isKafkaAway ? Promise.reject(new Error("away")) : Promise.resolve(spans)),
    afterMs: 60_000,
    mayGoOn: () => true,
    onDeferred: () => undefined,
    log,
    reconciled: createMetrics("test").counter({ name: "reconciled_total", help: "-" }),
    remade: createMetrics("test").counter({ name: "topics_remade_total", help: "-" }),
  });
  spans = new Map();
  isKafkaAway = false;
});

afterEach(async () => {
  await pool.query(`truncate messaging.outbox, messaging.sent_messages, messaging.inbox, messaging.deferred_topics,
    messaging.consumer_positions, messaging.dead_letters`);
});

interface Sent {
  readonly topic?: string;
  readonly messageId?: string;
  /** Null where the row is not sent. */
  readonly offset: number | null;
  readonly agoSeconds?: number;
}

/** Inserts a row as the relay leaves it; returns its message id. */
async function sent({ topic = RESULTS, offset, agoSeconds = 120, ...given }: Sent) {
  const messageId = given.messageId ?? newId(new Date());
  await writeOutbox(pool, [{ messageId, topic, key: Buffer.from("k"), value: Buffer.from("v") }]);
  await pool.query(
    `insert into messaging.sent_messages (id, day, sent_at, kafka_partition, kafka_offset)
      select id, day, now() - make_interval(secs => $2), 0, $3 from messaging.outbox
      where message_id = $1 and $3::bigint is not null`,
    [messageId, agoSeconds, offset],
  );
  await pool.query(
    "update messaging.outbox set created_at = now() - make_interval(secs => $2) where message_id = $1",
    [messageId, agoSeconds],
  );
  return messageId;
}

async function handledUpTo(nextOffset: number, topic = RESULTS, consumer = LIFECYCLE) {
  await recordPosition(pool, consumer, { topic, partition: 0, nextOffset });
}

async function unsent(): Promise<string[]> {
  const rows = await queryRows<{ message_id: string }>(pool, {
    text: "select message_id from messaging.outbox_progress where waits order by id",
  });
  return rows.map((row) => row.message_id);
}

/** The number of rows below the watermark. */
async function done(): Promise<number> {
  const [row] = await queryRows<{ count: number }>(pool, {
    text: `select count(*) from messaging.outbox o, messaging.reconciliation r where o.id < r.low_id`,
  });
  return row?.count ?? -1;
}

/** From which id each topic is left to the table, as the relay finds it. */
async function deferred(): Promise<Record<string, boolean>> {
  const rows = await queryRows<{ topic: string; is_first: boolean }>(pool, {
    text: `select d.topic, d.from_id = (select min(p.id) from messaging.outbox_progress p
        where p.topic = d.topic and p.waits) as is_first from messaging.deferred_topics d`,
  });
  return Object.fromEntries(rows.map((row) => [row.topic, row.is_first]));
}

/** As a consumer does in the transaction of the effect. */
async function noteHandled(consumer: string, messageId: string): Promise<void> {
  await pool.query("insert into messaging.inbox (consumer, message_id) values ($1, $2)", [
    consumer,
    messageId,
  ]);
}

async function positionOf(topic = RESULTS): Promise<number> {
  const rows = await queryRows<{ next_offset: number }>(pool, {
    text: "select next_offset from messaging.consumer_positions where topic = $1",
    values: [topic],
  });
  return rows[0]?.next_offset ?? -1;
}

/** The topic ends here, as Kafka has it. */
function endsAt(nextOffset: number, topic = RESULTS): void {
  spans.set(topic, [{ partition: 0, firstOffset: 0, nextOffset }]);
}

async function reconcile(): Promise<void> {
  await reconciler.run();
}

describe("the reconciler", () => {
  it("sends a message again that a consumer has passed without effect", async () => {
    const handled = await sent({ offset: 7 });
    await noteHandled(LIFECYCLE, handled);
    const lost = await sent({ offset: 8 });
    await handledUpTo(9);
    await reconcile();
    expect(await unsent()).toEqual([lost]);
    expect(await done()).toBe(1);
    expect(await deferred()).toEqual({ [RESULTS]: true });
  });

  it("sends nothing again where the consumer is only behind", async () => {
    await sent({ offset: 8, agoSeconds: 86_000 });
    await handledUpTo(8);
    await reconcile();
    expect(await unsent()).toEqual([]);
    expect(await done()).toBe(0);
  });

  it("waits for a late effect", async () => {
    await sent({ offset: 8, agoSeconds: 50 });
    await handledUpTo(9);
    await reconcile();
    expect(await unsent()).toEqual([]);
  });

  it("accepts a dead letter of the same consumer as the effect", async () => {
    const letters = await sent({ offset: 8 });
    await handledUpTo(9);
    await pool.query(
      `insert into messaging.dead_letters (id, consumer, topic, kafka_partition, kafka_offset,
        message_id, error_code, error_detail) values ($1, $2, $3, 0, 8, $1, 'rule_broken', '')`,
      [letters, LIFECYCLE, RESULTS],
    );
    await reconcile();
    expect(await unsent()).toEqual([]);
    expect(await done()).toBe(1);
  });

  it("expects an event in the log and in webhook-sender's inbox", async () => {
    const event = toStorable(freshEvent(newId(new Date())));
    await sent({ topic: EVENTS, messageId: event.id, offset: 3 });
    const position = { topic: EVENTS, partition: 0, nextOffset: 4 };
    await storeEvents(pool, [event], { consumer: "event-log", positions: [position] });
    await reconcile();
    expect(await done()).toBe(0);
    await noteHandled("webhook-sender", event.id);
    await reconcile();
    expect(await done()).toBe(1);

    const unlogged = await sent({ topic: EVENTS, offset: 2 });
    await noteHandled("webhook-sender", unlogged);
    // A transaction of another database of the server may hold it back for longer than three turns.
    await eventually(async () => {
      await reconcile();
      expect(await unsent()).toEqual([unlogged]);
    });
  });

  it("settles a message without internal consumers as soon as it is sent", async () => {
    await sent({ topic: UNWATCHED, offset: 1 });
    await sent({ topic: UNWATCHED, offset: null });
    await sent({ topic: UNWATCHED, offset: 2 });
    await reconcile();
    expect(await done()).toBe(1);
  });

  it("continues beyond an unsettled row", async () => {
    await sent({ topic: "porting.carrier-results", offset: 1 });
    await pool.query(
      `with written as (
        insert into messaging.outbox (message_id, topic, created_at)
        select gen_random_uuid(), $1, now() - interval '1 hour' from generate_series(1, 4500) returning id, day
      )
      insert into messaging.sent_messages (id, day, kafka_partition, kafka_offset)
      select id, day, 0, id from written`,
      [UNWATCHED],
    );
    const lost = await sent({ offset: 8 });
    await handledUpTo(9);
    await reconcile();
    expect(await unsent()).toEqual([lost]);
    expect(await done()).toBe(0);
    expect(await deferred()).toEqual({ [RESULTS]: true });
  });

  it("leaves to the table again what the relay has passed and not sent, unless that is noted", async () => {
    const passed = await sent({ topic: UNWATCHED, offset: null });
    const behind = await sent({ offset: null, agoSeconds: 50 });
    await reconcile();
    expect(await deferred()).toEqual({});
    const { rowCount } = await pool.query(
      "update messaging.relay_state set handled_id = (select max(id) from messaging.outbox)",
    );
    expect(rowCount).toBe(1);
    await reconcile();
    expect(await deferred()).toEqual({ [UNWATCHED]: true });
    expect(await unsent()).toEqual([passed, behind]);
    await pool.query("update messaging.deferred_topics set revision = 7");
    await reconcile();
    const { rows } = await pool.query("select revision from messaging.deferred_topics");
    expect(rows).toEqual([{ revision: 7 }]);
    await pool.query("update messaging.relay_state set handled_id = 0");
  });

  it("passes no message that is younger than an open transaction may be", async () => {
    const late = newId(new Date());
    await inTransaction(pool, async (tx) => {
      await writeOutbox(tx, [{ messageId: late, topic: UNWATCHED, key: null, value: null }]);
      await sent({ topic: UNWATCHED, offset: 1, agoSeconds: 50 });
      await reconcile();
      expect(await done()).toBe(0);
    });
    await reconcile();
    expect(await done()).toBe(0);
    expect(await unsent()).toEqual([late]);
  });
});

describe("a topic that was recreated or has lost its end", () => {
  it("gets again what it does not have any more, also what nobody inside waits for", async () => {
    const kept = await sent({ offset: 3 });
    const lost = [await sent({ offset: 8 }), await sent({ topic: UNWATCHED, offset: 9 })];
    endsAt(8);
    endsAt(4, UNWATCHED);
    await reconcile();
    expect(await unsent()).toEqual(lost);
    expect(await deferred()).toEqual({ [RESULTS]: true, [UNWATCHED]: true });
    expect(await done()).toBe(0);
    await noteHandled(LIFECYCLE, kept);
    await reconcile();
    expect(await done()).toBe(1);
  });

  it("is behind no position, so that a consumer that is late causes no repeats", async () => {
    await handledUpTo(50);
    await handledUpTo(3, EVENTS, "event-log");
    endsAt(4);
    endsAt(4, EVENTS);
    const late = await sent({ offset: 4 });
    await reconcile();
    expect([await positionOf(), await positionOf(EVENTS)]).toEqual([4, 3]);
    expect(await unsent()).toEqual([late]);
  });

  it("may have fewer partitions than before, or be missing for a while", async () => {
    await handledUpTo(8);
    const lost = await sent({ offset: 8 });
    spans.set(RESULTS, null);
    await reconcile();
    expect([await unsent(), await positionOf()]).toEqual([[], 8]);
    spans.set(RESULTS, []);
    await reconcile();
    expect([await unsent(), await positionOf()]).toEqual([[lost], 0]);
  });

  it("is not looked for while Kafka does not answer, but effects are", async () => {
    endsAt(8);
    isKafkaAway = true;
    await handledUpTo(9);
    await sent({ offset: 9 });
    const passed = await sent({ offset: 8 });
    await reconcile();
    expect([await unsent(), await positionOf()]).toEqual([[passed], 9]);
  });

  it("is not confused with one that has grown since it was asked", async () => {
    endsAt(8);
    await sent({ offset: 8, agoSeconds: -5 });
    await handledUpTo(9);
    await pool.query("update messaging.consumer_positions set updated_at = now() + interval '5 s'");
    await reconcile();
    expect([await unsent(), await positionOf()]).toEqual([[], 9]);
  });
});

describe("the outbox's partitions", () => {
  const NOW = new Date();
  const ago = (days: number): string =>
    new Date(NOW.getTime() - days * 86_400_000).toISOString().slice(0, 10);

  async function old(days: number, isSent: boolean): Promise<void> {
    await makeOutboxPartitions(pool, new Date(`${ago(days)}T00:00:00Z`));
    await pool.query(
      `with written as (
        insert into messaging.outbox (message_id, day, topic, created_at)
        values (gen_random_uuid(), $1, $2, now() - interval '1 hour') returning id, day
      )
      insert into messaging.sent_messages (id, day, kafka_partition, kafka_offset)
      select id, day, 0, 1 from written where $3`,
      [ago(days), UNWATCHED, isSent],
    );
  }

  async function rows(): Promise<number> {
    return Number((await pool.query("select from messaging.outbox")).rowCount);
  }

  it("are dropped only when all their rows are sent and reconciled", async () => {
    const drop = () => dropOutboxPartitions(pool, NOW, 7 * 86_400_000);
    // The database may have been made before midnight.
    await makeOutboxPartitions(pool, NOW);
    await old(9, true);
    await old(8, true);
    await drop();
    expect(await rows()).toBe(2);
    await reconcile();
    await old(10, false);
    await old(6, true);
    await reconcile();
    expect(await rows()).toBe(4);
    await drop();
    expect(await rows()).toBe(2);
    expect(await makeOutboxPartitions(pool, NOW)).toBe(0);
  });

  it("wait only briefly for a reader", async () => {
    await old(20, true);
    await reconcile();
    await inTransaction(pool, async (tx) => {
      await tx.query({ text: "select from messaging.outbox" });
      expect(await dropOutboxPartitions(pool, NOW, 7 * 86_400_000)).toBe(0);
    });
    expect(await dropOutboxPartitions(pool, NOW, 7 * 86_400_000)).toBeGreaterThan(0);
  });
});
