import { afterAll, beforeAll, describe, expect, it, jest } from "@jest/globals";
import type { Admin } from "kafkajs";
import { freePort } from "../../../infra/start/supervisor/free-port.ts";
import { until } from "../../../infra/start/supervisor/until.ts";
import { ensureTopics } from "../../../infra/topics/ensure-topics.ts";
import { readConfig as readLogConfig } from "../../../services/event-log/config.ts";
import { startEventLog } from "../../../services/event-log/service.ts";
import { eventMessage } from "../../../services/domain/event/rules/event-message.ts";
import { inTransaction, queryRows } from "../../../services/platform/db/transaction.ts";
import { createKafka } from "../../../services/platform/kafka/kafka-client.ts";
import { createLogger } from "../../../services/platform/logger.ts";
import { writeOutbox } from "../../../services/platform/outbox/outbox.ts";
import type { RunningService } from "../../../services/platform/run-service.ts";
import { readConfig as readRelayConfig } from "../../../services/outbox-relay/config.ts";
import { startOutboxRelay } from "../../../services/outbox-relay/service.ts";
import { freshEvent } from "../../support/orders/event-factory.ts";
import { testStack } from "../../support/stack/test-stack.ts";
import type { WebhookHouse } from "../../support/webhooks/webhook-stack.ts";
import { openWebhookHouse } from "../../support/webhooks/webhook-stack.ts";
import type { WebhookReceiver } from "../../support/webhooks/webhook-receiver.ts";
import { startWebhookReceiver } from "../../support/webhooks/webhook-receiver.ts";

jest.setTimeout(120_000);

const RETRIES = "1s";
const log = createLogger("test", "silent");
const { signal } = new AbortController();

let house: WebhookHouse;
let admin: Admin;
let receiver: WebhookReceiver;
let account: string;
let topic: string;
let relay: RunningService;
let metricsUrl: string;
const consumers: RunningService[] = [];

beforeAll(async () => {
  house = await openWebhookHouse({ retrySchedule: RETRIES });
  const { env } = house;
  topic = `${env.TOPIC_PREFIX ?? ""}porting.events`;
  const brokers = testStack().kafka_brokers.split(",");
  admin = createKafka({ brokers, clientId: "test", log }).admin();
  await admin.connect();
  receiver = await startWebhookReceiver();
  account = await house.newAccount();
  await house.newEndpoint(account, receiver.url);
  const port = String(await freePort());
  metricsUrl = `http://127.0.0.1:${port}/metrics`;
  const config = readRelayConfig({
    ...env,
    LISTEN_HOST: "127.0.0.1",
    HEALTH_PORT: port,
    RECONCILE_INTERVAL: "300ms",
  });
  relay = await startOutboxRelay({ config, log });
});

afterAll(async () => {
  await stopConsumers();
  await relay.stop();
  await admin.disconnect();
  await receiver.stop();
  await house.stop();
});

async function startConsumers(): Promise<void> {
  consumers.push(await startEventLog({ config: readLogConfig(house.env), log, signal }));
  consumers.push(await house.startSender());
}

async function stopConsumers(): Promise<void> {
  await Promise.all(consumers.splice(0).map((one) => one.stop()));
}

/** Commits events as the domain does; their ids. */
async function commit(count: number): Promise<string[]> {
  const events = Array.from({ length: count }, () => freshEvent(account));
  await inTransaction(house.pool, (tx) =>
    writeOutbox(
      tx,
      events.map((event) => eventMessage(house.bus, event)),
    ),
  );
  return events.map(({ id }) => id);
}

async function ids(text: string): Promise<string[]> {
  return (await queryRows<{ id: string }>(house.pool, { text })).map(({ id }) => id);
}

const logged = (): Promise<string[]> => ids("select id from events.log order by id");
const unsent = (): Promise<string[]> =>
  ids("select message_id as id from messaging.outbox where sent_at is null");
const told = (): string[] =>
  receiver.received.map(({ headers }) => String(headers["webhook-id"])).sort();

async function alarms(): Promise<number> {
  const text = await (await fetch(metricsUrl)).text();
  return Number(/^topics_remade_total\{.*\} (\d+)$/m.exec(text)?.[1]);
}

async function settled(expected: number, what: string): Promise<void> {
  const whole = async (): Promise<boolean> =>
    (await logged()).length >= expected && told().length >= expected;
  await until(whole, { timeoutMs: 40_000, what, everyMs: 50 });
}

async function remakeTopic(): Promise<void> {
  await admin.deleteTopics({ topics: [topic] });
  const gone = async (): Promise<boolean> => !(await admin.listTopics()).includes(topic);
  await until(gone, { timeoutMs: 20_000, what: "the topic to be gone" });
  const { kafka_brokers: brokers, schema_registry_url: registryUrl } = testStack();
  await ensureTopics({
    brokers: brokers.split(","),
    registryUrl,
    prefix: house.env.TOPIC_PREFIX ?? "",
    replication: 1,
    retrySchedule: RETRIES,
    eventsRetentionMs: null,
    log: () => undefined,
  });
}

describe("a topic that was deleted and made anew", () => {
  it("is an alarm, and all that was committed is logged and told once", async () => {
    await startConsumers();
    const before = await commit(20);
    await settled(20, "the events before");
    await stopConsumers();
    const unread = await commit(5);
    await until(async () => (await unsent()).length === 0, { timeoutMs: 20_000, what: "to send" });
    expect(await alarms()).toBe(0);

    await remakeTopic();
    await until(async () => (await alarms()) > 0, { timeoutMs: 20_000, what: "the alarm" });
    await startConsumers();
    await settled(25, "the events that were sent and not read");
    const after = await commit(5);
    await settled(30, "the events after");

    const all = [...before, ...unread, ...after].sort();
    expect(await logged()).toEqual(all);
    expect(told()).toEqual(all);
    expect(await alarms()).toBe(1);
  });
});
