import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { queryRows } from "../../../services/platform/db/transaction.ts";
import type { RunningService } from "../../../services/platform/run-service.ts";
import { freshEvent } from "../../support/orders/event-factory.ts";
import { eventually } from "../../support/eventually.ts";
import { startHeldReceiver } from "../../support/webhooks/held-receiver.ts";
import { openWebhookStack, type WebhookStack } from "../../support/webhooks/webhook-stack.ts";
import {
  startWebhookReceiver,
  type WebhookReceiver,
} from "../../support/webhooks/webhook-receiver.ts";

let stack: WebhookStack;
let receiver: WebhookReceiver;
const arrivals = new Map<string, number[]>();
const senders: RunningService[] = [];
/** Tolerance: a delayed delivery may arrive in the same second as the ones after it. */
const OUT_OF_STEP = 2;

beforeAll(async () => {
  stack = await openWebhookStack({
    retrySchedule: "1h",
    env: { WEBHOOK_HOST_CONCURRENCY: "16" },
  });
  receiver = await startWebhookReceiver(({ path }) => {
    arrivals.set(path, [...(arrivals.get(path) ?? []), performance.now()]);
    return 200;
  });
});

// Also after a failure: running senders would add to the counts of the next test.
afterEach(async () => {
  await Promise.all(senders.splice(0).map((sender) => sender.stop()));
});

async function startSender(): Promise<void> {
  senders.push(await stack.startSender());
}

const eventsOf = (account: string, count: number) =>
  Array.from({ length: count }, () => freshEvent(account));

/** The most arrivals within one second. */
function mostInOneSecond(times: readonly number[]): number {
  return Math.max(
    ...times.map((from) => times.filter((at) => at >= from && at < from + 1_000).length),
  );
}

describe("webhook senders together", () => {
  it("respect an endpoint's max_per_second", async () => {
    const account = await stack.newAccount();
    await stack.newEndpoint(account, `${receiver.url}/slow`, { max_per_second: 10 });
    await stack.newEndpoint(account, `${receiver.url}/fast`);
    await startSender();
    await startSender();
    const startedAt = performance.now();
    await stack.publish(eventsOf(account, 40));
    await eventually(() => expect(arrivals.get("/fast")).toHaveLength(40));
    const fastMs = performance.now() - startedAt;
    await eventually(() => expect(arrivals.get("/slow")).toHaveLength(40));
    const slow = arrivals.get("/slow") ?? [];
    expect(mostInOneSecond(slow)).toBeLessThanOrEqual(10 + OUT_OF_STEP);
    const lastedMs = (slow.at(-1) ?? 0) - (slow[0] ?? 0);
    expect(lastedMs).toBeGreaterThan(3_900);
    expect(fastMs).toBeLessThan(lastedMs);
  });

  it("stay within the limit of a hanging host across all accounts' endpoints", async () => {
    const held = await startHeldReceiver();
    const accounts = await Promise.all(Array.from({ length: 5 }, () => stack.newAccount()));
    for (const account of accounts) {
      for (const n of [1, 2, 3, 4, 5]) await stack.newEndpoint(account, `${held.url}/${n}`);
    }
    const healthy = await stack.newAccount();
    await stack.newEndpoint(healthy, `${receiver.url}/healthy`);
    await startSender();
    await stack.publish(accounts.flatMap((account) => eventsOf(account, 4)));
    await eventually(() => expect(held.requests()).toBe(16));
    await stack.publish(eventsOf(healthy, 20));
    await eventually(() => expect(arrivals.get("/healthy")).toHaveLength(20));
    expect(held.requests()).toBe(16);
    held.open();
    await eventually(async () => {
      const found = await Promise.all(accounts.map((account) => stack.deliveries(account)));
      const all = found.flat();
      expect(all).toHaveLength(100);
      for (const one of all) expect(one).toMatchObject({ status: "succeeded", attempt_count: 1 });
    });
    expect(held.requests()).toBe(100);
    await held.stop();
  });

  it("keep a slot for retries while first attempts never end", async () => {
    const account = await stack.newAccount();
    const { id } = await stack.newEndpoint(account, `${receiver.url}/busy`, { max_per_second: 50 });
    const events = eventsOf(account, 400);
    const last = events.at(-1)?.id;
    await startSender();
    await stack.publish(events);
    await eventually(async () => expect(await stack.deliveries(account)).toHaveLength(400));
    await queryRows(stack.pool, {
      text: `update webhooks.deliveries set status = 'retrying', priority = 1, next_attempt_at = now()
        where endpoint_id = $1 and event_id = $2 and status = 'pending' and lease_until is null`,
      values: [id, last],
    });
    await eventually(async () => {
      const found = await stack.deliveries(account);
      expect(found.find((one) => one.event_id === last)?.status).toBe("succeeded");
    });
    const found = await stack.deliveries(account);
    expect(found.filter((one) => one.status === "pending").length).toBeGreaterThan(50);
  });
});
