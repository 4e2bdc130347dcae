import { spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { ConfigResourceTypes, type Kafka } from "kafkajs";
import { builtFolder } from "../../../infra/project-root.ts";
import { until } from "../../../infra/start/supervisor/until.ts";
import { MAX_MESSAGE_BYTES } from "../../../services/messages/topics.ts";
import type { JoiningPool } from "../../../services/platform/db/joining-pool.ts";
import { inTransaction, queryRows } from "../../../services/platform/db/transaction.ts";
import { newId } from "../../../services/platform/ids.ts";
import { createKafka } from "../../../services/platform/kafka/kafka-client.ts";
import { createLogger } from "../../../services/platform/logger.ts";
import { createOutboxHint } from "../../../services/platform/outbox/outbox-hint.ts";
import { OUTBOX_SHARDS, writeOutbox } from "../../../services/platform/outbox/outbox.ts";
import type { RunningService } from "../../../services/platform/run-service.ts";
import { readConfig } from "../../../services/outbox-relay/config.ts";
import { startOutboxRelay } from "../../../services/outbox-relay/service.ts";
import { eventually } from "../../support/eventually.ts";
import {
  createTestDatabase,
  testStack,
  uniqueTopicPrefix,
  type TestDatabase,
} from "../../support/stack/test-stack.ts";
import { readTopic } from "../../support/stack/topic-reader.ts";
import { openPoolAt } from "../../support/stack/test-pool.ts";
import { endAfterTests } from "../../support/lifetime/end-after-tests.ts";
import { adminAccess, adminVariables } from "../../support/stack/kafka-access.ts";

const log = createLogger("test", "silent");
const KEYS = 40;
const KEY = randomBytes(32);

let database: TestDatabase;
let pool: JoiningPool;
let kafka: Kafka;
let topic: string;
let relayEnv: Record<string, string>;
const spawned: (() => Promise<void>)[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  pool = openPoolAt(database.url, { size: 10 });
  const brokers = testStack().kafka_brokers;
  kafka = createKafka({ ...adminAccess(brokers), clientId: "test", log });
  relayEnv = {
    DATABASE_URL: database.url,
    ...adminVariables(brokers),
    LOG_LEVEL: "fatal",
    SECRETS_KEY: KEY.toString("base64"),
  };
});

beforeEach(async () => {
  topic = `${uniqueTopicPrefix()}relayed`;
  const admin = kafka.admin();
  await admin.connect();
  const configEntries = [{ name: "max.message.bytes", value: String(MAX_MESSAGE_BYTES) }];
  const topics = [{ topic, numPartitions: 6, configEntries }];
  await admin.createTopics({ waitForLeaders: false, topics });
  await eventually(() => admin.fetchTopicMetadata({ topics: [topic] }));
  await admin.disconnect();
  await pool.query("truncate messaging.outbox, messaging.unsent_messages, messaging.sent_messages");
});

function startRelay(): Promise<RunningService> {
  return startOutboxRelay({
    config: readConfig(relayEnv),
    signal: new AbortController().signal,
    log,
  });
}

/** A relay in its own process, so that it can be killed. */
function spawnRelay(): ChildProcess {
  const program = join(builtFolder, "services", "outbox-relay", "main.js");
  const relay = spawn(process.execPath, [program], { env: relayEnv, stdio: "ignore" });
  const ended = once(relay, "exit");
  const kill = endAfterTests(async () => {
    relay.kill("SIGKILL");
    await ended;
  });
  spawned.push(kill);
  return relay;
}

// The next test's relays are to find their shards free.
afterEach(async () => {
  await Promise.all(spawned.splice(0).map((kill) => kill()));
});

/** Appends numbered rows for each key, each under the lock of its key, as the domain does. */
async function write(key: string, rows: number, first = 1): Promise<void> {
  const hint = createOutboxHint(pool);
  for (let n = first; n < first + rows; n += 1) {
    await inTransaction(pool, async (tx) => {
      await tx.query({ text: "select pg_advisory_xact_lock(hashtext($1))", values: [key] });
      const messageId = newId(new Date());
      const value = Buffer.from(String(n));
      await writeOutbox(tx, [{ messageId, topic, key: Buffer.from(key), value }]);
    });
    hint.notify();
  }
}

const keyNames = Array.from({ length: KEYS }, (_, n) => `key-${n}`);

async function writeAll(rows: number, first = 1): Promise<void> {
  await Promise.all(keyNames.map((key) => write(key, rows, first)));
}

async function count(condition: string): Promise<number> {
  const text = `select count(*) from messaging.outbox_progress where ${condition}`;
  const [row] = await queryRows<{ count: number }>(pool, { text });
  return row?.count ?? -1;
}

const unsentRows = (): Promise<number> => count("waits");
const sentRows = (): Promise<number> => count("not waits");

async function allSent(timeoutMs = 20_000): Promise<void> {
  await until(async () => (await unsentRows()) === 0, { timeoutMs, what: "the outbox to be sent" });
}

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

async function lockHolders(): Promise<number[]> {
  const rows = await queryRows<{ pid: number }>(pool, {
    text: `select pid from pg_locks where locktype = 'advisory' and classid = 7202612 and objid < $1
      and granted and database = (select oid from pg_database where datname = current_database())`,
    values: [OUTBOX_SHARDS],
  });
  return rows.map(({ pid }) => pid);
}

const allShardsHeld = { timeoutMs: 60_000, what: "all shards to be held" };

describe("the outbox relay", () => {
  it("sends every row once, in the order of its key, and records its position", async () => {
    const relay = await startRelay();
    await writeAll(20);
    await allSent();
    await relay.stop();
    expect(await onTopic()).toEqual({ firsts: inOrder(20), records: 20 * KEYS });
    expect(await misplaced()).toBe(0);
  });

  it("shares the shards between processes, and takes over those of a stopped one within 5 s", async () => {
    const [one, other] = [await startRelay(), await startRelay()];
    await until(async () => (await lockHolders()).length === OUTBOX_SHARDS, allShardsHeld);
    await writeAll(5);
    await one.stop();
    await writeAll(5, 6);
    await until(async () => (await lockHolders()).length === OUTBOX_SHARDS, allShardsHeld);
    await allSent();
    await other.stop();
    expect(await onTopic()).toEqual({ firsts: inOrder(10), records: 10 * KEYS });
  });

  it("keeps the order of a key when its connections are cut repeatedly", async () => {
    const relays = await Promise.all([startRelay(), startRelay()]);
    const writing = writeAll(30);
    for (let cut = 0; cut < 5; cut += 1) {
      await until(async () => (await lockHolders()).length > 0, allShardsHeld);
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

  it("leaves its shards to another process while it is frozen, and keeps the order of a key when it wakes", async () => {
    const frozen = spawnRelay();
    await until(async () => (await lockHolders()).length === OUTBOX_SHARDS, {
      timeoutMs: 10_000,
      what: "the first relay to hold all shards",
    });
    await writeAll(5);
    await allSent();
    // Some of these it has fetched, or sent without a mark, when it freezes; the rest is written afterwards.
    const writing = writeAll(25, 6);
    frozen.kill("SIGSTOP");
    const other = await startRelay();
    await writing;
    await allSent(10_000);
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
    await allSent().finally(() => relay.stop());
    expect(await misplaced()).toBe(0);
  });

  it("keeps no topic waiting for one that Kafka refuses, whose rows it sends once they are taken", async () => {
    const refused = `${topic}-refused`;
    const admin = kafka.admin();
    await admin.connect();
    endAfterTests(() => admin.disconnect());
    const limit = (bytes: number) => [{ name: "max.message.bytes", value: String(bytes) }];
    await admin.createTopics({ topics: [{ topic: refused, configEntries: limit(200) }] });
    await writeOutbox(pool, [
      { messageId: newId(new Date()), topic: refused, key: null, value: Buffer.alloc(1_000, "x") },
    ]);
    await writeAll(5);
    const relay = await startRelay();
    await eventually(async () => expect(await unsentRows()).toBe(1));
    await writeAll(5, 6);
    await eventually(async () => expect(await unsentRows()).toBe(1));
    const { firsts, records } = await onTopic();
    expect(firsts).toEqual(inOrder(10));
    // Only the batch in which the topic was first refused may have been sent again.
    expect(records).toBeLessThanOrEqual(15 * KEYS);
    await admin.alterConfigs({
      validateOnly: false,
      resources: [
        { type: ConfigResourceTypes.TOPIC, name: refused, configEntries: limit(100_000) },
      ],
    });
    await allSent(40_000).finally(() => relay.stop());
    expect(await readTopic(kafka, refused)).toHaveLength(1);
  });

  it("finds rows whose hint was lost, and rows of a late transaction", async () => {
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
});
