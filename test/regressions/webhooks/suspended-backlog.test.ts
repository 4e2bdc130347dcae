import { beforeAll, describe, expect, it } from "@jest/globals";
import { toStorable } from "../../../services/domain/event/rules/storable-event.ts";
import { queryRows } from "../../../services/platform/db/transaction.ts";
import {
  dueDeliveries,
  waitingLines,
} from "../../../services/webhook-sender/store/due-deliveries.ts";
import { PRIORITIES } from "../../../services/webhook-sender/queue/endpoint-queue.ts";
import { fanOut } from "../../../services/webhook-sender/store/fan-out.ts";
import { freshEvent } from "../../support/orders/event-factory.ts";
import { openWebhookStack, type WebhookStack } from "../../support/webhooks/webhook-stack.ts";

const EVENTS = 3;

let stack: WebhookStack;

beforeAll(async () => {
  stack = await openWebhookStack({ retrySchedule: "1h", onBroker: false });
});

/**
 * It was fetched, refused by the claim and fetched again in a busy loop; and it counted as overdue, so that alerts fired
 * for as long as the account was suspended.
 */
describe("the backlog of a suspended account", () => {
  it("is neither fetched nor overdue until the account is active again", async () => {
    const account = await stack.newAccount();
    const { id } = await stack.newEndpoint(account, "https://hooks.example.com");
    await fanOut(stack.pool, {
      consumer: "webhook-sender",
      events: Array.from({ length: EVENTS }, () => toStorable(freshEvent(account))),
      positions: [{ topic: "porting.events", partition: 0, nextOffset: 1 }],
      now: new Date(),
    });
    const become = (status: string) =>
      queryRows(stack.pool, {
        text: "update accounts.accounts set status = $2 where id = $1",
        values: [account, status],
      });
    const fetched = async (): Promise<number> => {
      const line = { endpoint_key: id, priority: PRIORITIES.first };
      const [due] = await dueDeliveries(stack.pool, [line], { now: new Date(), limit: 100 });
      return due?.delivery_ids.length ?? 0;
    };
    const waiting = () => waitingLines(stack.pool, new Date(), new Date());
    await become("suspended");
    expect(await fetched()).toBe(0);
    expect(await waiting()).toEqual({ oldest: null, overdue: [] });
    await become("active");
    expect(await fetched()).toBe(EVENTS);
    expect(await waiting()).toEqual({
      oldest: expect.any(Date),
      overdue: [{ endpoint_key: id, priority: PRIORITIES.first }],
    });
  });
});
