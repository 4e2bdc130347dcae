import { beforeAll, describe, expect, it } from "@jest/globals";
import { readConfig } from "../../../services/event-log/config.ts";
import { startEventLog } from "../../../services/event-log/service.ts";
import { queryRows } from "../../../services/platform/db/transaction.ts";
import { newId } from "../../../services/platform/ids.ts";
import { createLogger } from "../../../services/platform/logger.ts";
import { buildEvent } from "../../support/orders/event-factory.ts";
import { eventually } from "../../support/eventually.ts";
import { endAfterTests } from "../../support/lifetime/end-after-tests.ts";
import { openWebhookStack, type WebhookStack } from "../../support/webhooks/webhook-stack.ts";

let stack: WebhookStack;

beforeAll(async () => {
  stack = await openWebhookStack({ retrySchedule: "1h" });
  const config = readConfig({ ...stack.env, DATABASE_ROLE: "porting_event_log" });
  const log = createLogger("test", "silent");
  const eventLog = await startEventLog({ config, log, signal: new AbortController().signal });
  endAfterTests(() => eventLog.stop());
  await stack.startSender();
});

async function newOrder(accountId: string): Promise<string> {
  const id = newId(new Date());
  await queryRows(stack.pool, {
    text: `with profile as (
        insert into orders.requirement_profiles (id, items) values (gen_random_uuid(), '[]') returning id
      )
      insert into orders.porting_orders (id, account_id, batch_id, status, provider, country_code, number_type,
        losing_carrier, customer_reference, requirement_profile_id, created_at, updated_at)
      select $1, $2, $1, 'draft', 'manual', 'US', 'local', 'Verizon', '', id, now(), now() from profile`,
    values: [id, accountId],
  });
  return id;
}

/** Only the consumers of commands and results noted it. */
describe("an event of an order that is dead-lettered", () => {
  it("is noted for the desk in the order's timeline by each of its consumers", async () => {
    const account_id = await stack.newAccount();
    const order_id = await newOrder(account_id);
    const at = new Date();
    const event = buildEvent("porting_order.created", {
      id: newId(at),
      account_id,
      order_id,
      sequence_key: order_id,
      created_at: at,
    });
    await stack.publish([{ ...event, created_at: event.created_at + 1 }]);
    await eventually(async () => {
      const letters = await queryRows(stack.pool, {
        text: "select consumer, error_code from messaging.dead_letters order by consumer",
      });
      const error_code = "rule_broken";
      expect(letters).toEqual([
        { consumer: "event-log", error_code },
        { consumer: "webhook-sender", error_code },
      ]);
    });
    const entries = await queryRows(stack.pool, {
      text: "select kind, actor, data, internal from orders.timeline where order_id = $1",
      values: [order_id],
    });
    const dead_letter = {
      topic: expect.stringMatching(/porting\.events$/),
      code: "rule_broken",
      detail: expect.any(String),
    };
    const actor = { type: "system", id: null, name: null };
    const entry = { kind: "ignored", actor, data: { dead_letter }, internal: true };
    expect(entries).toEqual([entry, entry]);
  });
});
