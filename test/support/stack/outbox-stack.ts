import { randomBytes } from "node:crypto";
import type { Kafka } from "kafkajs";
import { until } from "../../../infra/start/supervisor/until.ts";
import { MAX_MESSAGE_BYTES } from "../../../services/messages/topics.ts";
import { readConfig } from "../../../services/outbox-relay/config.ts";
import { startOutboxRelay } from "../../../services/outbox-relay/service.ts";
import type { DividedPool } from "../../../services/platform/db/pool.ts";
import { queryRows } from "../../../services/platform/db/transaction.ts";
import { createKafka } from "../../../services/platform/kafka/kafka-client.ts";
import { createLogger } from "../../../services/platform/logger.ts";
import type { RunningService } from "../../../services/platform/run-service.ts";
import { eventually } from "../eventually.ts";
import { adminAccess, adminVariables } from "./kafka-access.ts";
import { openPoolAt } from "./test-pool.ts";
import {
  createTestDatabase,
  testStack,
  uniqueTopicPrefix,
  type TestDatabase,
} from "./test-stack.ts";

const log = createLogger("test", "silent");
const KEY = randomBytes(32);

/** A database with an outbox, and relays that send it to topics without a schema. */
export interface OutboxStack {
  readonly pool: DividedPool;
  readonly kafka: Kafka;
  /** For a relay in its own process. */
  readonly relayEnv: Readonly<Record<string, string>>;
  makeTopic(): Promise<string>;
  /** Empties the outbox and makes a topic; returns its name. */
  startTopic(): Promise<string>;
  startRelay(): Promise<RunningService>;
  /** Counts messages by a condition on `messaging.outbox_progress`. */
  rowsWhere(condition: string): Promise<number>;
  allSent(timeoutMs?: number): Promise<void>;
}

export async function openOutboxStack(given?: TestDatabase): Promise<OutboxStack> {
  const database = given ?? (await createTestDatabase());
  const pool = openPoolAt(database.url, { size: 10 });
  const brokers = testStack().kafka_brokers;
  const kafka = createKafka({ ...adminAccess(brokers), clientId: "test", log });
  const relayEnv = {
    DATABASE_URL: database.url,
    ...adminVariables(brokers),
    LOG_LEVEL: "fatal",
    SECRETS_KEY: KEY.toString("base64"),
  };
  const rowsWhere = async (condition: string): Promise<number> => {
    const text = `select count(*) from messaging.outbox_progress where ${condition}`;
    const [row] = await queryRows<{ count: number }>(pool, { text });
    return row?.count ?? -1;
  };
  return {
    pool,
    kafka,
    relayEnv,
    makeTopic: () => makeTopic(kafka),
    startTopic: async () => {
      const topic = await makeTopic(kafka);
      await pool.query(
        "truncate messaging.outbox, messaging.sent_messages, messaging.deferred_topics",
      );
      return topic;
    },
    startRelay: () => {
      const { signal } = new AbortController();
      return startOutboxRelay({ config: readConfig(relayEnv), signal, log });
    },
    rowsWhere,
    allSent: async (timeoutMs = 20_000) => {
      const isSent = async (): Promise<boolean> => (await rowsWhere("waits")) === 0;
      await until(isSent, { timeoutMs, what: "the outbox to be sent" });
    },
  };
}

async function makeTopic(kafka: Kafka): Promise<string> {
  const topic = `${uniqueTopicPrefix()}relayed`;
  const admin = kafka.admin();
  await admin.connect();
  const configEntries = [{ name: "max.message.bytes", value: String(MAX_MESSAGE_BYTES) }];
  const topics = [{ topic, numPartitions: 6, configEntries }];
  await admin.createTopics({ waitForLeaders: false, topics });
  await eventually(() => admin.fetchTopicMetadata({ topics: [topic] }));
  await admin.disconnect();
  return topic;
}
