import { beforeEach, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import type pg from "pg";
import { storeEvents } from "../../../services/domain/event/store/store-events.ts";
import { toStorable } from "../../../services/domain/event/rules/storable-event.ts";
import { inTransaction, queryRows } from "../../../services/platform/db/transaction.ts";
import { newId } from "../../../services/platform/ids.ts";
import { recordPosition } from "../../../services/platform/inbox/inbox.ts";
import { createLogger } from "../../../services/platform/logger.ts";
import { createMetrics } from "../../../services/platform/metrics.ts";
import { writeOutbox } from "../../../services/platform/outbox/outbox.ts";
import {
  dropOutboxPartitions,
  makeOutboxPartitions,
} from "../../../services/outbox-relay/relay/store/outbox-partitions.ts";
import { createRelayPool } from "../../../services/outbox-relay/relay/store/outbox-rows.ts";
import { expectations } from "../../../services/outbox-relay/reconcile/store/reconcile-step.ts";
import { Reconciler } from "../../../services/outbox-relay/reconcile/reconciler.ts";
import { freshEvent } from "../../support/orders/event-factory.ts";
import { eventually } from "../../support/eventually.ts";
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
    afterMs: 60_000,
    mayGoOn: () => true,
    log,
    reconciled: createMetrics("test").counter({ name: "reconciled_total", help: "-" }),
  });
});

afterEach(async () => {
  await pool.query(`truncate messaging.outbox, messaging.unsent_messages, messaging.sent_messages, messaging.inbox,
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
    `with sent as (
        delete from messaging.unsent_messages u using messaging.outbox o
        where o.message_id = $1 and u.id = o.id and $3::bigint is not null returning u.id, u.day
      )
      insert into messaging.sent_messages (id, day, sent_at, kafka_partition, kafka_offset)
      select id, day, now() - make_interval(secs => $2), 0, $3 from sent`,
    [messageId, agoSeconds, offset],
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

/** How many messages became unsent again, as the relay is told. */
async function unsentAgain(): Promise<number> {
  const [row] = await queryRows<{ unsent_again: number }>(pool, {
    text: "select unsent_again from messaging.reconciliation",
  });
  return row?.unsent_again ?? -1;
}

/** Waits for all current transactions to end; those of the server's other databases matter too. */
async function othersEnded(): Promise<void> {
  const [now] = await queryRows<{ id: string }>(pool, {
    text: "select pg_current_xact_id()::text as id",
  });
  await eventually(async () => {
    const [oldest] = await queryRows<{ id: string }>(pool, {
      text: "select pg_snapshot_xmin(pg_current_snapshot())::text as id",
    });
    expect(BigInt(oldest?.id ?? 0) > BigInt(now?.id ?? 0)).toBe(true);
  });
}

/** As a consumer does in the transaction of the effect. */
async function noteHandled(consumer: string, messageId: string): Promise<void> {
  await pool.query("insert into messaging.inbox (consumer, message_id) values ($1, $2)", [
    consumer,
    messageId,
  ]);
}

/** Three passes: two to learn which ids are visible, one to use it. */
async function reconcile({ openTransaction = false } = {}): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) {
    await reconciler.run();
    if (!openTransaction) await othersEnded();
  }
}

describe("the reconciler", () => {
  it("sends a message again that a consumer has passed without effect", async () => {
    const handled = await sent({ offset: 7 });
    await noteHandled(LIFECYCLE, handled);
    const lost = await sent({ offset: 8 });
    await handledUpTo(9);
    const before = await unsentAgain();
    await reconcile();
    expect(await unsent()).toEqual([lost]);
    expect(await done()).toBe(1);
    expect((await unsentAgain()) - before).toBe(1);
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
      `insert into messaging.outbox (message_id, topic, shard, sent_at, kafka_partition, kafka_offset)
       select gen_random_uuid(), $1, 0, now(), 0, n from generate_series(1, 4500) n`,
      [UNWATCHED],
    );
    const lost = await sent({ offset: 8 });
    await handledUpTo(9);
    const before = await unsentAgain();
    await reconcile();
    expect(await unsent()).toEqual([lost]);
    expect(await done()).toBe(0);
    expect((await unsentAgain()) - before).toBe(1);
  });

  it("never passes an id whose transaction is still open", async () => {
    const late = newId(new Date());
    await inTransaction(pool, async (tx) => {
      await writeOutbox(tx, [{ messageId: late, topic: UNWATCHED, key: null, value: null }]);
      await sent({ topic: UNWATCHED, offset: 1 });
      await reconcile({ openTransaction: true });
      expect(await done()).toBe(0);
    });
    await reconcile();
    expect(await done()).toBe(0);
    expect(await unsent()).toEqual([late]);
  });
});

describe("the outbox's partitions", () => {
  const NOW = new Date();
  const ago = (days: number): string =>
    new Date(NOW.getTime() - days * 86_400_000).toISOString().slice(0, 10);

  async function old(days: number, isSent: boolean): Promise<void> {
    await makeOutboxPartitions(pool, new Date(`${ago(days)}T00:00:00Z`));
    await pool.query(
      `insert into messaging.outbox (message_id, day, topic, shard, sent_at, kafka_partition, kafka_offset)
       values (gen_random_uuid(), $1, $2, 0, case when $3 then now() end, 0, 1)`,
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
