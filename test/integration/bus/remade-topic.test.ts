/** @tier all */
import { beforeAll, describe, expect, it } from "@jest/globals";
import type { Admin } from "kafkajs";
import { freePort } from "../../../infra/start/supervisor/ports.ts";
import { until } from "../../../infra/start/supervisor/until.ts";
import { readConfig as readLogConfig } from "../../../services/event-log/config.ts";
import { startEventLog } from "../../../services/event-log/service.ts";
import { eventMessage } from "../../../services/domain/event/rules/new-event.ts";
import { inTransaction, queryRows } from "../../../services/platform/db/transaction.ts";
import {
  commitPositions,
  fetchCommitted,
} from "../../../services/platform/kafka/group-positions.ts";
import { createLogger } from "../../../services/platform/logger.ts";
import { writeOutbox } from "../../../services/platform/outbox/outbox.ts";
import type { RunningService } from "../../../services/platform/run-service.ts";
import { readConfig as readRelayConfig } from "../../../services/outbox-relay/config.ts";
import { startOutboxRelay } from "../../../services/outbox-relay/service.ts";
import { freshEvent } from "../../support/orders/event-factory.ts";
import { openWebhookStack, type WebhookStack } from "../../support/webhooks/webhook-stack.ts";
import {
  startWebhookReceiver,
  type WebhookReceiver,
} from "../../support/webhooks/webhook-receiver.ts";
import { endAfterTests } from "../../support/lifetime/end-after-tests.ts";
import { connectAdmin } from "../../support/stack/test-kafka.ts";
import { restoreTestTopics } from "../../support/stack/test-topics.ts";
import { fetchTopicSpans } from "../../../services/platform/kafka/topic-offsets.ts";
import { eventually } from "../../support/eventually.ts";

const RETRIES = "1s";
const log = createLogger("test", "silent");
const { signal } = new AbortController();

let stack: WebhookStack;
let admin: Admin;
let receiver: WebhookReceiver;
let account: string;
let topic: string;
let metricsUrl: string;
const consumers: RunningService[] = [];

beforeAll(async () => {
  stack = await openWebhookStack({ retrySchedule: RETRIES });
  const { env } = stack;
  topic = `${env.TOPIC_PREFIX ?? ""}porting.events`;
  admin = await connectAdmin();
  receiver = await startWebhookReceiver();
  account = await stack.newAccount();
  await stack.newEndpoint(account, receiver.url);
  const port = String(await freePort());
  metricsUrl = `http://127.0.0.1:${port}/metrics`;
  const config = readRelayConfig({
    ...env,
    LISTEN_HOST: "127.0.0.1",
    HEALTH_PORT: port,
    RECONCILE_INTERVAL: "300ms",
  });
  const relay = await startOutboxRelay({ config, signal: new AbortController().signal, log });
  endAfterTests(() => relay.stop());
});

async function startConsumers(): Promise<void> {
  const eventLog = await startEventLog({ config: readLogConfig(stack.env), log, signal });
  consumers.push({ stop: endAfterTests(() => eventLog.stop()) });
  consumers.push(await stack.startSender());
}

async function stopConsumers(): Promise<void> {
  await Promise.all(consumers.splice(0).map((one) => one.stop()));
}

/** Commits events as the domain does; returns their ids. */
async function commit(count: number): Promise<string[]> {
  const events = Array.from({ length: count }, () => freshEvent(account));
  await inTransaction(stack.pool, (tx) =>
    writeOutbox(
      tx,
      events.map((event) => eventMessage(stack.bus, event)),
    ),
  );
  return events.map(({ id }) => id);
}

async function ids(text: string): Promise<string[]> {
  return (await queryRows<{ id: string }>(stack.pool, { text })).map(({ id }) => id);
}

const logged = (): Promise<string[]> => ids("select id from events.log order by id");
const unsent = (): Promise<string[]> =>
  ids("select message_id as id from messaging.outbox_progress where waits");
const received = (): string[] =>
  receiver.received.map(({ headers }) => String(headers["webhook-id"])).sort();

async function topicErrors(): Promise<number> {
  const text = await (await fetch(metricsUrl)).text();
  return Number(/^topics_remade_total\{.*\} (\d+)$/m.exec(text)?.[1]);
}

async function settled(expected: number, what: string): Promise<void> {
  const whole = async (): Promise<boolean> =>
    (await logged()).length >= expected && received().length >= expected;
  await until(whole, { timeoutMs: 40_000, what, everyMs: 50 });
}

async function remakeTopic(): Promise<void> {
  await admin.deleteTopics({ topics: [topic] });
  await eventually(async () => {
    expect((await fetchTopicSpans(stack.bus.kafka, [topic])).get(topic)).toBeNull();
  });
  await restoreTestTopics(stack.env["TOPIC_PREFIX"] ?? "", { retrySchedule: RETRIES });
}

describe("a topic that was deleted and recreated", () => {
  it("is logged as an error, and every committed event is stored and delivered once", async () => {
    await startConsumers();
    const before = await commit(20);
    await settled(20, "the events before");
    await stopConsumers();
    const unread = await commit(5);
    await until(async () => (await unsent()).length === 0, { timeoutMs: 20_000, what: "to send" });
    expect(await topicErrors()).toBe(0);

    await remakeTopic();
    await until(async () => (await topicErrors()) > 0, {
      timeoutMs: 20_000,
      what: "the error in the log",
    });
    await startConsumers();
    await settled(25, "the events that were sent and not read");
    const after = await commit(5);
    await settled(30, "the events after");

    const all = [...before, ...unread, ...after].sort();
    expect(await logged()).toEqual(all);
    expect(received()).toEqual(all);
    expect(await topicErrors()).toBe(1);
  });
});

describe("the offsets of a group", () => {
  it("are committed from outside without the client's own wait of 5 s", async () => {
    const group = `${stack.env["TOPIC_PREFIX"] ?? ""}moved`;
    const begun = performance.now();
    await commitPositions(stack.bus.kafka, { group, topic, offsets: new Map([[0, 0]]) });
    // Reconciling a restored database took two minutes.
    expect(performance.now() - begun).toBeLessThan(4_500);
    expect(await fetchCommitted(admin, group, topic)).toEqual(new Map([[0, 0]]));
  });
});
