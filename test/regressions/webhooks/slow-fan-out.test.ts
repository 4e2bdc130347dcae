import { beforeAll, describe, expect, it } from "@jest/globals";
import { queryRows } from "../../../services/platform/db/transaction.ts";
import { freshEvent } from "../../support/orders/event-factory.ts";
import { eventually } from "../../support/eventually.ts";
import { startWebhookReceiver } from "../../support/webhooks/webhook-receiver.ts";
import { openWebhookStack, type WebhookStack } from "../../support/webhooks/webhook-stack.ts";

const EVENTS = 200;
/** More deliveries than these are too many for one statement of this database. */
const IN_TIME = 30;

let stack: WebhookStack;

beforeAll(async () => {
  stack = await openWebhookStack({ retrySchedule: "1h" });
  await queryRows(stack.pool, {
    text: `create function webhooks.time_out() returns trigger language plpgsql as $$ begin
      if (select count(*) from made) > ${IN_TIME} then raise 'canceled' using errcode = 'query_canceled'; end if;
      return null; end $$`,
  });
  await queryRows(stack.pool, {
    text: `create trigger time_out after insert on webhooks.deliveries referencing new table as made
      for each statement execute function webhooks.time_out()`,
  });
});

/** The same events were tried together for ever, and no account got webhooks. */
describe("events whose deliveries are too many for the time of a statement", () => {
  it("are fanned out in smaller batches, and none is dead-lettered", async () => {
    const receiver = await startWebhookReceiver(() => 200);
    const account = await stack.newAccount();
    await stack.newEndpoint(account, receiver.url);
    await stack.publish(Array.from({ length: EVENTS }, () => freshEvent(account)));
    const sender = await stack.startSender();
    await eventually(async () => {
      const found = await stack.deliveries(account);
      expect(found.filter(({ status }) => status === "succeeded")).toHaveLength(EVENTS);
    }, 45_000);
    await sender.stop();
    const text = "select count(*) as dead from messaging.dead_letters";
    expect(await queryRows(stack.pool, { text })).toEqual([{ dead: 0 }]);
  });
});
