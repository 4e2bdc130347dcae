import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, it } from "@jest/globals";
import type { Kafka } from "kafkajs";
import type pg from "pg";
import { until } from "../../../infra/start/supervisor/until.ts";
import { listEvents } from "../../../services/domain/event/store/feed.ts";
import { readConfig as readLogConfig } from "../../../services/event-log/config.ts";
import { startEventLog } from "../../../services/event-log/service.ts";
import { openBus, type Bus } from "../../../services/messages/bus/bus.ts";
import type { PortingEvent } from "../../../services/messages/generated/porting-event.ts";
import { eventMessage } from "../../../services/domain/event/rules/new-event.ts";
import { inTransaction, queryRows } from "../../../services/platform/db/transaction.ts";
import { newId } from "../../../services/platform/ids.ts";
import { createLogger } from "../../../services/platform/logger.ts";
import { writeOutbox, type OutgoingMessage } from "../../../services/platform/outbox/outbox.ts";
import type { RunningService } from "../../../services/platform/run-service.ts";
import { readConfig as readRelayConfig } from "../../../services/outbox-relay/config.ts";
import { startOutboxRelay } from "../../../services/outbox-relay/service.ts";
import { freshEvent } from "../../support/orders/event-factory.ts";
import { createTestDatabase } from "../../support/stack/test-stack.ts";
import { DEFAULT_PARTITIONS } from "../../../services/messages/topics.ts";
import { testPlace } from "../../support/product/product.ts";
import { createTestTopics } from "../../support/stack/test-topics.ts";
import { testKafka } from "../../support/stack/test-kafka.ts";
import { endAfterTests } from "../../support/lifetime/end-after-tests.ts";
import { adminVariables } from "../../support/stack/kafka-access.ts";

const log = createLogger("test", "silent");
const { signal } = new AbortController();

let prefix: string;
let pool: pg.Pool;
let kafka: Kafka;
let bus: Bus;
let env: Record<string, string>;
let relay: RunningService;
const logs: RunningService[] = [];

beforeAll(async () => {
  const { databaseUrl, kafkaBrokers, registryUrl } = testPlace(await createTestDatabase());
  // Several copies of event-log share them.
  prefix = await createTestTopics({ partitions: DEFAULT_PARTITIONS });
  env = {
    DATABASE_URL: databaseUrl,
    ...adminVariables(kafkaBrokers),
    SCHEMA_REGISTRY_URL: registryUrl,
    TOPIC_PREFIX: prefix,
    SECRETS_KEY: randomBytes(32).toString("base64"),
  };
  kafka = testKafka();
  const config = readLogConfig({ ...env, DATABASE_ROLE: "none" });
  bus = await openBus({ config, service: "test", log, signal });
  endAfterTests(() => bus.close());
  ({ pool } = bus);
  relay = await startOutboxRelay({
    config: readRelayConfig(env),
    signal: new AbortController().signal,
    log,
  });
  endAfterTests(() => relay.stop());
  await startLog();
});

async function startLog(): Promise<void> {
  const started = await startEventLog({ config: readLogConfig(env), log, signal });
  logs.push({ stop: endAfterTests(() => started.stop()) });
}

async function stopLogs(): Promise<void> {
  await Promise.all(logs.splice(0).map((one) => one.stop()));
}

function messageOf(event: PortingEvent): OutgoingMessage {
  return eventMessage(bus, event);
}

async function feed(accountId: string, cursorId: string | null = null): Promise<string[]> {
  const scan = { direction: "asc", comparison: ">", cursorId, fetch: 250 } as const;
  return (await listEvents(pool, { accountId, scan, filter: {} }))?.rows.map(({ id }) => id) ?? [];
}

/** Pages forward until it has as many events as were written. */
async function follow(accountId: string, expected: number): Promise<string[]> {
  const seen: string[] = [];
  const more = async (): Promise<boolean> => {
    seen.push(...(await feed(accountId, seen.at(-1) ?? null)));
    return seen.length >= expected;
  };
  await until(more, { timeoutMs: 60_000, what: "the feed to be whole", everyMs: 5 });
  return seen;
}

/** Commits events one by one, each after a pause of up to 10 ms in its transaction. */
async function write(accountIds: readonly string[], rows: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < rows; n += 1) {
    const event = freshEvent(accountIds[n % accountIds.length] ?? "");
    await inTransaction(pool, async (tx) => {
      await writeOutbox(tx, [messageOf(event)]);
      await tx.query({ text: "select pg_sleep(random() * 0.01)" });
    });
    ids.push(event.id);
  }
  return ids;
}

describe("event-log", () => {
  it("gives a reader exactly the events of 32 writers while copies of it start and stop", async () => {
    const accounts = [newId(new Date()), newId(new Date())];
    const rows = 20;
    const writing = Promise.all(Array.from({ length: 32 }, () => write(accounts, rows)));
    const readers = accounts.map((accountId) => follow(accountId, (32 * rows) / 2));
    await startLog();
    await logs.shift()?.stop();
    await startLog();
    const written = (await writing).flat();
    const seen = await Promise.all(readers);
    expect(seen.flat().sort()).toEqual(written.sort());
    for (const [n, accountId] of accounts.entries()) {
      const [whole] = await queryRows<{ seqs: number[]; ids: string[] }>(pool, {
        text: `select array_agg(seq::integer order by seq) as seqs, array_agg(id::text order by seq) as ids
          from events.log where account_id = $1`,
        values: [accountId],
      });
      expect(whole?.ids).toEqual(seen[n]);
      expect(whole?.seqs).toEqual(seen[n]?.map((_, index) => index + 1));
    }
  });

  it("dead-letters an invalid event and stores those around it", async () => {
    const accountId = newId(new Date());
    const [before, bad, after] = [1, 2, 3].map(() => freshEvent(accountId));
    if (before === undefined || bad === undefined || after === undefined)
      throw new Error("no event");
    const broken = { ...bad, created_at: bad.created_at + 1 };
    await writeOutbox(pool, [before, broken, after].map(messageOf));
    await until(async () => (await feed(accountId)).length === 2, {
      timeoutMs: 10_000,
      what: "both",
    });
    expect(await feed(accountId)).toEqual([before.id, after.id]);
    const letters = await queryRows(pool, {
      text: `select consumer, error_code from messaging.dead_letters where message_id = $1`,
      values: [bad.id],
    });
    expect(letters).toEqual([{ consumer: "event-log", error_code: "rule_broken" }]);
  });

  it("stores nothing twice when its group starts from the beginning", async () => {
    const [{ count: stored } = { count: 0 }] = await countEvents();
    await stopLogs();
    const admin = kafka.admin();
    await admin.connect();
    const groups = { groupId: `${prefix}event-log`, topic: `${prefix}porting.events` };
    await admin.resetOffsets({ ...groups, earliest: true });
    const marker = newId(new Date());
    await write([marker], 6);
    await startLog();
    await follow(marker, 6);
    await until(() => isCaughtUp(groups), { timeoutMs: 20_000, what: "event-log to catch up" });
    await admin.disconnect();
    expect(await countEvents()).toEqual([{ count: stored + 6 }]);
  });
});

function countEvents(): Promise<{ count: number }[]> {
  return queryRows<{ count: number }>(pool, { text: "select count(*) from events.log" });
}

async function isCaughtUp(group: { groupId: string; topic: string }): Promise<boolean> {
  const admin = kafka.admin();
  await admin.connect();
  const ends = await admin.fetchTopicOffsets(group.topic);
  const [committed] = await admin.fetchOffsets({ groupId: group.groupId, topics: [group.topic] });
  await admin.disconnect();
  return ends.every(({ partition, high }) => {
    const at = committed?.partitions.find((one) => one.partition === partition)?.offset;
    return high === "0" || at === high;
  });
}
