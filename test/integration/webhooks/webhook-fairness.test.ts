import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from "@jest/globals";
import { queryRows } from "../../../services/platform/db/transaction.ts";
import type { RunningService } from "../../../services/platform/run-service.ts";
import { freshEvent } from "../../support/orders/event-factory.ts";
import { eventually } from "../../support/eventually.ts";
import { startHeldReceiver } from "../../support/webhooks/held-receiver.ts";
import type { WebhookHouse } from "../../support/webhooks/webhook-stack.ts";
import { openWebhookHouse } from "../../support/webhooks/webhook-stack.ts";
import type { WebhookReceiver } from "../../support/webhooks/webhook-receiver.ts";
import { startWebhookReceiver } from "../../support/webhooks/webhook-receiver.ts";

jest.setTimeout(90_000);

let house: WebhookHouse;
let receiver: WebhookReceiver;
const arrivals = new Map<string, number[]>();
const senders: RunningService[] = [];
/** One that is on its way for longer than the one behind it makes their second fuller. */
const OUT_OF_STEP = 2;

beforeAll(async () => {
  house = await openWebhookHouse({
    retrySchedule: "1h",
    env: { WEBHOOK_HOST_CONCURRENCY: "16" },
  });
  receiver = await startWebhookReceiver(({ path }) => {
    arrivals.set(path, [...(arrivals.get(path) ?? []), performance.now()]);
    return 200;
  });
});

// Also after a failure: senders that go on would add to what the next test counts.
afterEach(async () => {
  await Promise.all(senders.splice(0).map((sender) => sender.stop()));
});

afterAll(async () => {
  await house.stop();
  await receiver.stop();
});

async function startSender(): Promise<void> {
  senders.push(await house.startSender());
}

const eventsOf = (account: string, count: number) =>
  Array.from({ length: count }, () => freshEvent(account));

/** The most that arrived within one second. */
function mostInOneSecond(times: readonly number[]): number {
  return Math.max(
    ...times.map((from) => times.filter((at) => at >= from && at < from + 1_000).length),
  );
}

describe("webhook senders together", () => {
  it("keep an endpoint's max_per_second", async () => {
    const account = await house.newAccount();
    await house.newEndpoint(account, `${receiver.url}/slow`, { max_per_second: 10 });
    await house.newEndpoint(account, `${receiver.url}/fast`);
    await startSender();
    await startSender();
    const startedAt = performance.now();
    await house.publish(eventsOf(account, 40));
    await eventually(() => expect(arrivals.get("/fast")).toHaveLength(40));
    const fastMs = performance.now() - startedAt;
    await eventually(() => expect(arrivals.get("/slow")).toHaveLength(40));
    const slow = arrivals.get("/slow") ?? [];
    expect(mostInOneSecond(slow)).toBeLessThanOrEqual(10 + OUT_OF_STEP);
    const lastedMs = (slow.at(-1) ?? 0) - (slow[0] ?? 0);
    expect(lastedMs).toBeGreaterThan(3_900);
    expect(fastMs).toBeLessThan(lastedMs);
  });

  it("hold no more than its cap at a host that hangs, whosever endpoints it serves", async () => {
    const held = await startHeldReceiver();
    const accounts = await Promise.all(Array.from({ length: 5 }, () => house.newAccount()));
    for (const account of accounts) {
      for (const n of [1, 2, 3, 4, 5]) await house.newEndpoint(account, `${held.url}/${n}`);
    }
    const healthy = await house.newAccount();
    await house.newEndpoint(healthy, `${receiver.url}/healthy`);
    await startSender();
    await house.publish(accounts.flatMap((account) => eventsOf(account, 4)));
    await eventually(() => expect(held.requests()).toBe(16));
    await house.publish(eventsOf(healthy, 20));
    await eventually(() => expect(arrivals.get("/healthy")).toHaveLength(20));
    expect(held.requests()).toBe(16);
    held.open();
    await eventually(async () => {
      const found = await Promise.all(accounts.map((account) => house.deliveries(account)));
      const all = found.flat();
      expect(all).toHaveLength(100);
      for (const one of all) expect(one).toMatchObject({ status: "succeeded", attempt_count: 1 });
    });
    expect(held.requests()).toBe(100);
    held.stop();
  });

  it("keep a place for retries while first attempts never end", async () => {
    const account = await house.newAccount();
    const { id } = await house.newEndpoint(account, `${receiver.url}/busy`, { max_per_second: 50 });
    const events = eventsOf(account, 400);
    const last = events.at(-1)?.id;
    await startSender();
    await house.publish(events);
    await eventually(async () => expect(await house.deliveries(account)).toHaveLength(400));
    await queryRows(house.pool, {
      text: `update webhooks.deliveries set status = 'retrying', priority = 1, next_attempt_at = now()
        where endpoint_id = $1 and event_id = $2 and status = 'pending' and lease_until is null`,
      values: [id, last],
    });
    await eventually(async () => {
      const found = await house.deliveries(account);
      expect(found.find((one) => one.event_id === last)?.status).toBe("succeeded");
    });
    const found = await house.deliveries(account);
    expect(found.filter((one) => one.status === "pending").length).toBeGreaterThan(50);
  });
});
