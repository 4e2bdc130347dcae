import { beforeAll, describe, expect, it } from "@jest/globals";
import { toStorable } from "../../../services/domain/event/rules/storable-event.ts";
import { attemptError } from "../../../services/domain/webhook/rules/delivery.ts";
import { queryRows } from "../../../services/platform/db/transaction.ts";
import { claimDeliveries } from "../../../services/webhook-sender/store/claim-deliveries.ts";
import { recordResults } from "../../../services/webhook-sender/store/record-results.ts";
import { fanOut } from "../../../services/webhook-sender/store/fan-out.ts";
import { freshEvent } from "../../support/orders/event-factory.ts";
import { openWebhookStack, type WebhookStack } from "../../support/webhooks/webhook-stack.ts";

let stack: WebhookStack;

beforeAll(async () => {
  stack = await openWebhookStack({ retrySchedule: "1h", onBroker: false });
});

/** The writer repeats an unacknowledged write: the attempt was in the log twice and counted as two failures. */
describe("a result whose acknowledgement was lost", () => {
  it("is recorded once", async () => {
    const account = await stack.newAccount();
    const { id } = await stack.newEndpoint(account, "https://hooks.example.com");
    const now = new Date();
    const { waiting } = await fanOut(stack.pool, {
      consumer: "webhook-sender",
      events: [toStorable(freshEvent(account))],
      positions: [{ topic: "porting.events", partition: 0, nextOffset: 1 }],
      now,
    });
    const [delivery] = await claimDeliveries(stack.pool, waiting[0]?.delivery_ids ?? [], now);
    if (delivery === undefined) throw new Error("nothing was claimed");
    const result = {
      delivery,
      outcome: { trigger: "attempt_failed", dueAt: new Date(now.getTime() + 3_600_000), step: 0 },
      endedAt: now,
      entry: {
        attempt: 1,
        started_at: now.toISOString(),
        duration_ms: 1,
        response_code: 500,
        error: attemptError("http_error"),
        response_body: null,
      },
    } as const;
    const first = await recordResults(stack.pool, [result]);
    const again = await recordResults(stack.pool, [result]);
    expect([first.length, again.length]).toEqual([1, 0]);
    const [recorded] = await stack.deliveries(account);
    expect(recorded?.attempt_log).toHaveLength(1);
    const health = await queryRows(stack.pool, {
      text: "select consecutive_failures from webhooks.endpoint_health where endpoint_id = $1",
      values: [id],
    });
    expect(health).toEqual([{ consecutive_failures: 1 }]);
  });
});
