import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { Kafka } from "kafkajs";
import { projectRoot } from "../../../infra/project-root.ts";
import { until } from "../../../infra/start/supervisor/until.ts";
import { areShown } from "../../../services/outbox-relay/relay/store/shown-transactions.ts";
import type { DividedPool } from "../../../services/platform/db/pool.ts";
import { inTransaction, queryRows } from "../../../services/platform/db/transaction.ts";
import { newId } from "../../../services/platform/ids.ts";
import { writeOutbox } from "../../../services/platform/outbox/outbox.ts";
import type { RunningService } from "../../../services/platform/run-service.ts";
import { eventually } from "../../support/eventually.ts";
import { endAfterTests } from "../../support/lifetime/end-after-tests.ts";
import { openOutboxStack, type OutboxStack } from "../../support/stack/outbox-stack.ts";
import { readTopic } from "../../support/stack/topic-reader.ts";

const KEYS = 40;

let stack: OutboxStack;
let pool: DividedPool;
let kafka: Kafka;
let topic: string;
const spawned: (() => Promise<void>)[] = [];

beforeAll(async () => {
  stack = await openOutboxStack();
  ({ pool, kafka } = stack);
});

beforeEach(async () => {
  topic = await stack.startTopic();
});

const startRelay = (): Promise<RunningService> => stack.startRelay();
const allSent = (timeoutMs?: number): Promise<void> => stack.allSent(timeoutMs);

/** A relay in its own process, so that it can be killed. */
function spawnRelay(): ChildProcess {
  const program = join(projectRoot, "services", "outbox-relay", "main.ts");
  const relay = spawn(process.execPath, [program], { env: stack.relayEnv, stdio: "ignore" });
  const ended = once(relay, "exit");
  const kill = endAfterTests(async () => {
    relay.kill("SIGKILL");
    await ended;
  });
  spawned.push(kill);
  return relay;
}

// The next test's relays are to find the slot free.
afterEach(async () => {
  await Promise.all(spawned.splice(0).map((kill) => kill()));
});

/** Appends numbered rows for each key, each under the lock of its key, as the domain does. */
async function write(key: string, rows: number, first = 1): Promise<void> {
  for (let n = first; n < first + rows; n += 1) {
    await inTransaction(pool, async (tx) => {
      await tx.query({ text: "select pg_advisory_xact_lock(hashtext($1))", values: [key] });
      const messageId = newId(new Date());
      const value = Buffer.from(String(n));
      await writeOutbox(tx, [{ messageId, topic, key: Buffer.from(key), value }]);
    });
  }
}

const keyNames = Array.from({ length: KEYS }, (_, n) => `key-${n}`);

async function writeAll(rows: number, first = 1): Promise<void> {
  await Promise.all(keyNames.map((key) => write(key, rows, first)));
}

const unsentRows = (): Promise<number> => stack.rowsWhere("waits");
const sentRows = (): Promise<number> => stack.rowsWhere("not waits");

/** For each key, the numbers in the order of their first appearance on the topic; and the number of records. */
async function onTopic(): Promise<{ firsts: Map<string, number[]>; records: number }> {
  const messages = await readTopic(kafka, topic);
  const firsts = new Map<string, number[]>(keyNames.map((key) => [key, []]));
  for (const { key, value } of messages) {
    const list = firsts.get(String(key)) ?? [];
    if (!list.includes(Number(value))) list.push(Number(value));
  }
  return { firsts, records: messages.length };
}

/** Rows whose recorded topic position does not have their message. */
async function misplaced(): Promise<number> {
  const rows = await queryRows<{ message_id: string; place: string }>(pool, {
    text: `select message_id, kafka_partition || '/' || kafka_offset as place
      from messaging.outbox_progress`,
  });
  const messages = await readTopic(kafka, topic);
  const idAt = new Map(messages.map((one) => [`${one.partition}/${one.offset}`, one.messageId]));
  return rows.filter((row) => idAt.get(row.place) !== row.message_id).length;
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n + 1);
const inOrder = (count: number) => new Map(keyNames.map((key) => [key, upTo(count)]));

/** The slot, and whether a relay reads it. */
async function slots(): Promise<{ name: string; active: boolean }[]> {
  return queryRows(pool, {
    text: "select slot_name as name, active from pg_replication_slots where database = current_database()",
  });
}

async function isRead(): Promise<boolean> {
  return (await slots()).some(({ active }) => active);
}

const slotRead = { timeoutMs: 20_000, what: "the slot to be read" };

describe("the outbox relay", () => {
  it("sends every row once, in the order of its key, and records its position", async () => {
    const relay = await startRelay();
    await writeAll(20);
    await allSent();
    await relay.stop();
    expect(await onTopic()).toEqual({ firsts: inOrder(20), records: 20 * KEYS });
    expect(await misplaced()).toBe(0);
  });

  it("is one process at a time, and another within two seconds of its end", async () => {
    const one = spawnRelay();
    await until(isRead, slotRead);
    const other = await startRelay();
    await writeAll(5);
    await allSent();
    one.kill("SIGKILL");
    const killedMs = performance.now();
    await write("key-0", 1, 6);
    await until(async () => (await sentRows()) === 5 * KEYS + 1, {
      timeoutMs: 20_000,
      what: "the other relay to send",
      everyMs: 20,
    });
    const tookMs = performance.now() - killedMs;
    await Promise.all(keyNames.slice(1).map((key) => write(key, 1, 6)));
    await allSent();
    await other.stop();
    expect((await onTopic()).firsts).toEqual(inOrder(6));
    expect(tookMs).toBeLessThan(4_000);
  });

  it("keeps the order of a key when its connections are cut repeatedly", async () => {
    const relays = await Promise.all([startRelay(), startRelay()]);
    const writing = writeAll(30);
    for (let cut = 0; cut < 5; cut += 1) {
      await until(isRead, slotRead);
      await pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name like 'outbox-relay%'`);
    }
    await writing;
    await allSent();
    await Promise.all(relays.map((relay) => relay.stop()));
    expect((await onTopic()).firsts).toEqual(inOrder(30));
    expect(await misplaced()).toBe(0);
  });

  it("loses nothing and at most repeats rows when it is killed between any two steps", async () => {
    const relays = [spawnRelay(), spawnRelay()];
    for (let kill = 0; kill < 8; kill += 1) {
      const sentBefore = await sentRows();
      const writing = writeAll(8, 1 + kill * 8);
      await until(async () => (await sentRows()) > sentBefore, {
        timeoutMs: 20_000,
        what: "some of the rows to be sent",
        everyMs: 2,
      });
      const victim = relays.shift();
      victim?.kill("SIGKILL");
      relays.push(spawnRelay());
      await writing;
    }
    await allSent();
    const { firsts, records } = await onTopic();
    expect(firsts).toEqual(inOrder(64));
    expect(records).toBeGreaterThanOrEqual(64 * KEYS);
    expect(await misplaced()).toBe(0);
  });

  it("leaves the slot to another process while it is frozen, and keeps the order of a key when it wakes", async () => {
    const frozen = spawnRelay();
    await until(isRead, slotRead);
    await writeAll(5);
    await allSent();
    // Some of these it has read, or sent without a place, when it freezes; the rest is written afterwards.
    const writing = writeAll(25, 6);
    frozen.kill("SIGSTOP");
    const other = await startRelay();
    await writing;
    await allSent(20_000);
    frozen.kill("SIGCONT");
    await writeAll(10, 31);
    await allSent();
    await other.stop();
    expect((await onTopic()).firsts).toEqual(inOrder(40));
    expect(await misplaced()).toBe(0);
  });

  it("sends many large rows one after the other", async () => {
    const value = Buffer.alloc(1_500_000, "x");
    for (let n = 0; n < 12; n += 1) {
      await writeOutbox(pool, [{ messageId: newId(new Date()), topic, key: null, value }]);
    }
    const relay = await startRelay();
    try {
      await allSent();
    } finally {
      await relay.stop();
    }
    expect(await misplaced()).toBe(0);
  });

  it("sends the rows of a late transaction", async () => {
    const relay = await startRelay();
    const late = newId(new Date());
    await inTransaction(pool, async (tx) => {
      const key = Buffer.from("key-0");
      await writeOutbox(tx, [{ messageId: late, topic, key, value: Buffer.from("1") }]);
      await write("key-1", 3);
      await until(async () => (await unsentRows()) === 0, {
        timeoutMs: 60_000,
        what: "the others",
      });
    });
    await allSent();
    await relay.stop();
    expect((await onTopic()).firsts.get("key-0")).toEqual([1]);
  });

  it("loses nothing and keeps the order of a key when its slot is dropped under load", async () => {
    const relay = await startRelay();
    await until(isRead, slotRead);
    const writing = writeAll(30);
    for (let drop = 0; drop < 3; drop += 1) {
      await until(isRead, slotRead);
      // It is read again at once, so that the drop may come too late.
      await eventually(async () => {
        await pool.query(`select pg_terminate_backend(active_pid) from pg_replication_slots
          where database = current_database() and active`);
        await pool.query(`select pg_drop_replication_slot(slot_name) from pg_replication_slots
          where database = current_database()`);
      });
    }
    await writing;
    await allSent();
    await relay.stop();
    expect((await onTopic()).firsts).toEqual(inOrder(30));
    expect(await misplaced()).toBe(0);
  });

  it("sends what was written while there was no slot, once", async () => {
    await pool.query(`select pg_drop_replication_slot(slot_name) from pg_replication_slots
      where database = current_database()`);
    await writeAll(5);
    const relay = await startRelay();
    await allSent();
    await writeAll(5, 6);
    await allSent();
    await relay.stop();
    expect(await onTopic()).toEqual({ firsts: inOrder(10), records: 10 * KEYS });
    expect(await slots()).toEqual([
      { name: expect.stringMatching(/^porting_outbox_\d+$/), active: false },
    ]);
  });
});

// Its messages came before it was shown: an order's first event did not go to the order's own URL.
it("a transaction is shown once it has ended", async () => {
  const client = await pool.connect();
  await client.query("begin");
  const { rows } = await client.query<{ xid: string }>(
    "select pg_current_xact_id()::xid::text as xid",
  );
  const xids = new Set(rows.map(({ xid }) => Number(xid)));
  expect(await areShown(pool, xids)).toBe(false);
  await client.query("commit");
  client.release();
  expect(await areShown(pool, xids)).toBe(true);
});
