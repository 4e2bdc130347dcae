/** @tier nightly */
import type { ChildProcess } from "node:child_process";
import { beforeAll, describe, expect, it } from "@jest/globals";
import type { LocalStack } from "../../../infra/local-stack/local-stack.ts";
import type { Delivery } from "../../../services/domain/webhook/rules/delivery.ts";
import { freshEvent } from "../../support/orders/event-factory.ts";
import { eventually } from "../../support/eventually.ts";
import { spawnSender } from "../../support/webhooks/sender-process.ts";
import { testStack } from "../../support/stack/test-stack.ts";
import { openWebhookStack, type WebhookStack } from "../../support/webhooks/webhook-stack.ts";
import {
  startWebhookReceiver,
  type WebhookReceiver,
} from "../../support/webhooks/webhook-receiver.ts";
import { startOwnStack } from "../../support/stack/own-stack.ts";

const AWAY_MS = 60_000;
const DELAYS_MS = [2_000, 10_000, 20_000];
/** Due retries are found within 1.5 s; the rest is for a slow machine. */
const LATE_MS = 5_000;
const EVENTS = 30;
/** A group waits for its members of before the outage, and a slow machine for everything. */
const REACHED_MS = 120_000;

let broker: LocalStack;
let stack: WebhookStack;
let receiver: WebhookReceiver;
let sender: ChildProcess;
let isHealed = false;

beforeAll(async () => {
  const { database_url: databaseUrl, schema_registry_url: registryUrl } = testStack();
  broker = await startOwnStack({ existing: { databaseUrl, registryUrl } });
  stack = await openWebhookStack({
    retrySchedule: DELAYS_MS.map((ms) => `${ms}ms`).join(","),
    kafkaBrokers: broker.addresses.kafkaBrokers,
  });
  receiver = await startWebhookReceiver(({ path }) => (path === "/fails" && !isHealed ? 503 : 200));
  sender = spawnSender(stack);
});

const publish = (account: string): Promise<void> =>
  stack.publish(Array.from({ length: EVENTS }, () => freshEvent(account)));

/** Waits until `isReached` holds for `count` of the account's deliveries, and returns all of them. */
const whenReached = (account: string, count: number, isReached: (one: Delivery) => boolean) =>
  eventually(async () => {
    const found = await stack.deliveries(account);
    expect(found.filter(isReached)).toHaveLength(count);
    return found;
  }, REACHED_MS);

/** How long after its due time each attempt but the first started. */
function lateness({ attempt_log }: Delivery): number[] {
  return attempt_log.slice(1).map(({ started_at }, n) => {
    const before = attempt_log[n];
    const ended = Date.parse(before?.started_at ?? "") + (before?.duration_ms ?? 0);
    return Date.parse(started_at) - ended - (DELAYS_MS[n] ?? 0);
  });
}

describe("a Kafka outage of a minute", () => {
  it("delays no retry, repeats none afterwards, and stops no sender", async () => {
    const account = await stack.newAccount();
    await stack.newEndpoint(account, `${receiver.url}/fails`);
    await stack.newEndpoint(account, `${receiver.url}/works`);
    await publish(account);
    await whenReached(account, 2 * EVENTS, (one) => one.attempt_log.length >= 1);
    const kafka = broker.part("kafka");
    await kafka.stop(0);
    const wentAt = performance.now();
    const outageMs = (): number => performance.now() - wentAt;

    const isFailing = (one: Delivery): boolean => one.attempt_log.length === 3;
    await whenReached(account, EVENTS, isFailing);
    isHealed = true;
    const done = await whenReached(account, 2 * EVENTS, (one) => one.status === "succeeded");
    expect(outageMs()).toBeLessThan(AWAY_MS);
    for (const late of done.flatMap(lateness)) {
      expect(late).toBeGreaterThanOrEqual(0);
      expect(late).toBeLessThan(LATE_MS);
    }

    await eventually(() => expect(outageMs()).toBeGreaterThan(AWAY_MS), AWAY_MS);
    kafka.start();
    await kafka.whenReady(60_000);
    await publish(account);
    await whenReached(account, 4 * EVENTS, (one) => one.status === "succeeded");
    expect([sender.exitCode, sender.signalCode]).toEqual([null, null]);
    const attempts = (await stack.deliveries(account)).map((one) => one.attempt_count).sort();
    expect(attempts).toEqual([
      ...Array<number>(3 * EVENTS).fill(1),
      ...Array<number>(EVENTS).fill(4),
    ]);
    expect(receiver.received).toHaveLength(7 * EVENTS);
  }, 400_000);
});
