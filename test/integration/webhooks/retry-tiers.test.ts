/** @tier all */
import { beforeAll, describe, expect, it } from "@jest/globals";
import type { Admin } from "kafkajs";
import type { Delivery } from "../../../services/domain/webhook/rules/delivery.ts";
import type { RunningService } from "../../../services/platform/run-service.ts";
import { eventually } from "../../support/eventually.ts";
import { freshEvent } from "../../support/orders/event-factory.ts";
import { openWebhookStack, type WebhookStack } from "../../support/webhooks/webhook-stack.ts";
import {
  startWebhookReceiver,
  type WebhookReceiver,
} from "../../support/webhooks/webhook-receiver.ts";
import { connectAdmin } from "../../support/stack/test-kafka.ts";

const TIERS = ["200ms", "400ms", "1h"];
const EVENTS = 40;

let stack: WebhookStack;
let receiver: WebhookReceiver;
let sender: RunningService;
let admin: Admin;

beforeAll(async () => {
  stack = await openWebhookStack({ retrySchedule: TIERS.join(",") });
  const tried = new Map<string, number>();
  receiver = await startWebhookReceiver(({ path, headers }) => {
    const key = `${path} ${String(headers["webhook-id"])}`;
    const times = (tried.get(key) ?? 0) + 1;
    tried.set(key, times);
    return path === "/third-time" && times === 3 ? 200 : 503;
  });
  admin = await connectAdmin(stack.bus.kafka);
  sender = await stack.startSender();
});

const topicOf = (tier: string): string => `${stack.bus.topicPrefix}porting.webhook-retry.${tier}`;
const groupOf = (tier: string): string => `${stack.bus.topicPrefix}webhook-retry-${tier}`;

/** The number of a tier's timers that its group has not handled yet. */
async function unread(tier: string): Promise<number> {
  const [read] = await admin.fetchOffsets({ groupId: groupOf(tier), topics: [topicOf(tier)] });
  const committed = new Map(read?.partitions.map((one) => [one.partition, Number(one.offset)]));
  const ends = await admin.fetchTopicOffsets(topicOf(tier));
  return ends.reduce(
    (sum, end) => sum + Number(end.high) - Math.max(0, committed.get(end.partition) ?? 0),
    0,
  );
}

async function whenDeliveries(account: string, isReached: (one: Delivery) => boolean) {
  return eventually(async () => {
    const found = await stack.deliveries(account);
    expect(found.filter(isReached)).toHaveLength(2 * EVENTS);
    return found;
  });
}

describe("tiers that are all read again from the earliest", () => {
  it("repeat nothing and send nothing early", async () => {
    const account = await stack.newAccount();
    const ending = await stack.newEndpoint(account, `${receiver.url}/third-time`);
    await stack.newEndpoint(account, `${receiver.url}/never`);
    await stack.publish(Array.from({ length: EVENTS }, () => freshEvent(account)));
    // An attempt is counted as it begins, and logged as it ends.
    const isDone = (one: Delivery): boolean =>
      one.attempt_log.length === 3 &&
      one.status === (one.webhook_endpoint_id === ending.id ? "succeeded" : "retrying");
    const before = await whenDeliveries(account, isDone);
    expect(receiver.received).toHaveLength(6 * EVENTS);
    await eventually(async () => {
      const left = await Promise.all(TIERS.map(unread));
      expect(left).toEqual([0, 0, EVENTS]);
    });

    await sender.stop();
    for (const tier of TIERS) {
      await admin.resetOffsets({ groupId: groupOf(tier), topic: topicOf(tier), earliest: true });
    }
    expect(await Promise.all(TIERS.map(unread))).toEqual([2 * EVENTS, 2 * EVENTS, EVENTS]);
    sender = await stack.startSender();
    await eventually(async () => {
      expect(await Promise.all(TIERS.map(unread))).toEqual([0, 0, EVENTS]);
    });

    // A new delivery passes the same topics after all of the timers.
    const marker = await stack.newAccount();
    await stack.newEndpoint(marker, `${receiver.url}/third-time`);
    await stack.publish([freshEvent(marker)]);
    await eventually(async () => {
      expect((await stack.deliveries(marker)).map((one) => one.status)).toEqual(["succeeded"]);
    });
    expect(await stack.deliveries(account)).toEqual(before);
    expect(receiver.received).toHaveLength(6 * EVENTS + 3);
  });
});
