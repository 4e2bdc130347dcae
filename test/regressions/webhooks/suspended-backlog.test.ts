import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { toStorable } from "../../../services/domain/event/rules/storable-event.ts";
import { queryRows } from "../../../services/platform/db/transaction.ts";
import { dueDeliveries } from "../../../services/webhook-sender/store/due-deliveries.ts";
import { PRIORITIES } from "../../../services/webhook-sender/queue/priority.ts";
import { fanOut } from "../../../services/webhook-sender/store/fan-out.ts";
import { freshEvent } from "../../support/orders/event-factory.ts";
import type { WebhookHouse } from "../../support/webhooks/webhook-stack.ts";
import { openWebhookHouse } from "../../support/webhooks/webhook-stack.ts";

const EVENTS = 3;

let house: WebhookHouse;

beforeAll(async () => {
  house = await openWebhookHouse({ retrySchedule: "1h" });
}, 60_000);

afterAll(() => house.stop());

/** It was fetched, refused by the claim and fetched again, as fast as the database answered. */
describe("the backlog of a suspended account", () => {
  it("is not fetched until the account is active again", async () => {
    const account = await house.newAccount();
    const { id } = await house.newEndpoint(account, "https://hooks.example.com");
    await fanOut(house.pool, {
      consumer: "webhook-sender",
      events: Array.from({ length: EVENTS }, () => toStorable(freshEvent(account))),
      position: { topic: "porting.events", partition: 0, nextOffset: 1 },
      now: new Date(),
    });
    const become = (status: string) =>
      queryRows(house.pool, {
        text: "update accounts.accounts set status = $2 where id = $1",
        values: [account, status],
      });
    const fetched = async (): Promise<number> => {
      const line = { endpoint_key: id, priority: PRIORITIES.first };
      const [due] = await dueDeliveries(house.pool, [line], { now: new Date(), limit: 100 });
      return due?.delivery_ids.length ?? 0;
    };
    await become("suspended");
    expect(await fetched()).toBe(0);
    await become("active");
    expect(await fetched()).toBe(EVENTS);
  });
});
