import { beforeAll, describe, expect, it } from "@jest/globals";
import { until } from "../../../infra/start/supervisor/until.ts";
import { queryRows } from "../../../services/platform/db/transaction.ts";
import { newId } from "../../../services/platform/ids.ts";
import { freshEvent } from "../../support/orders/event-factory.ts";
import { openWebhookStack, type WebhookStack } from "../../support/webhooks/webhook-stack.ts";
import {
  startWebhookReceiver,
  type WebhookReceiver,
} from "../../support/webhooks/webhook-receiver.ts";

const ORDERS = 16;

let stack: WebhookStack;
let receiver: WebhookReceiver;

beforeAll(async () => {
  stack = await openWebhookStack({ retrySchedule: "1s" });
  receiver = await startWebhookReceiver();
  await stack.startSender();
});

/** The queue's key was a bare hash, which is a valid UUID one time in eight: other announcements were dead-lettered. */
describe("the announcement of deliveries to orders' own URLs", () => {
  it("is valid for every URL", async () => {
    const account = await stack.newAccount();
    const events = Array.from({ length: ORDERS }, () => {
      const order_id = newId(new Date());
      return { ...freshEvent(account), order_id, sequence_key: order_id };
    });
    for (const { order_id } of events) {
      await queryRows(stack.pool, {
        text: "insert into webhooks.order_destinations (order_id, account_id, url) values ($1, $2, $3)",
        values: [order_id, account, `${receiver.url}/${order_id}`],
      });
    }
    await stack.publish(events);
    const areSent = async (): Promise<boolean> => {
      const all = await stack.deliveries(account);
      return all.length === ORDERS && all.every(({ status }) => status === "succeeded");
    };
    await until(areSent, { timeoutMs: 30_000, what: "the deliveries" });
    const letters = { text: "select error_code from messaging.dead_letters" };
    expect(await queryRows(stack.pool, letters)).toEqual([]);
  });
});
