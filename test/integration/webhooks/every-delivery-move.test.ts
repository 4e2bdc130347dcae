import { beforeAll, describe, expect, it } from "@jest/globals";
import { retryDelivery } from "../../../services/domain/webhook/store/retry-delivery.ts";
import { cancelRecovery } from "../../../services/api/webhooks/recoveries/store.ts";
import { toStorable } from "../../../services/domain/event/rules/storable-event.ts";
import {
  attemptError,
  DELIVERY_STATUSES,
  isWaitingStatus,
  type DeliveryStatus,
} from "../../../services/domain/webhook/rules/delivery.ts";
import {
  deliveryTargetsOf,
  MOVE_TRIGGERS,
  type MoveTrigger,
} from "../../../services/domain/webhook/rules/delivery-transitions.ts";
import {
  deleteEndpoint,
  updateEndpoint,
} from "../../../services/domain/webhook/store/endpoints.ts";
import { inTransaction, queryRows } from "../../../services/platform/db/transaction.ts";
import { newId } from "../../../services/platform/ids.ts";
import type { AttemptOutcome } from "../../../services/webhook-sender/attempt/attempt.ts";
import { claimDeliveries } from "../../../services/webhook-sender/store/claim-deliveries.ts";
import { fanOut } from "../../../services/webhook-sender/store/fan-out.ts";
import { recordResults } from "../../../services/webhook-sender/store/record-results.ts";
import { freshEvent } from "../../support/orders/event-factory.ts";
import { openWebhookStack, type WebhookStack } from "../../support/webhooks/webhook-stack.ts";

const URL_OF_ORDER = "https://hooks.example.com/of-one-order";

let stack: WebhookStack;

beforeAll(async () => {
  stack = await openWebhookStack({ retrySchedule: "1h", onBroker: false });
});

interface Made {
  readonly id: string;
  readonly account: string;
  readonly endpoint: string;
}

/** A delivery of a new account, in the status; to an order's own URL where the trigger is about that. */
async function deliveryIn(status: DeliveryStatus, trigger: MoveTrigger): Promise<Made> {
  const account = await stack.newAccount();
  const { id: endpoint } = await stack.newEndpoint(account, "https://hooks.example.com/in");
  const event = freshEvent(account);
  if (trigger === "url_removed") {
    await queryRows(stack.pool, {
      text: "insert into webhooks.order_destinations (order_id, account_id, url) values ($1, $2, $3)",
      values: [event.order_id, account, URL_OF_ORDER],
    });
  }
  const { waiting } = await fanOut(stack.pool, {
    consumer: "webhook-sender",
    events: [toStorable(event)],
    positions: [{ topic: "porting.events", partition: 0, nextOffset: 1 }],
    now: new Date(),
  });
  const [id = ""] = waiting[0]?.delivery_ids ?? [];
  await queryRows(stack.pool, {
    text: `update webhooks.deliveries set status = $2,
      next_attempt_at = case when $3 then next_attempt_at end, completed_at = case when not $3 then now() end
      where id = $1`,
    values: [id, status, isWaitingStatus(status)],
  });
  return { id, account, endpoint };
}

/** Makes an attempt, where the delivery can be claimed, and records how it ended. */
async function attempt({ id }: Made, outcome: AttemptOutcome): Promise<void> {
  const endedAt = new Date();
  const [delivery] = await claimDeliveries(stack.pool, [id], endedAt);
  if (delivery === undefined) return;
  const failed = outcome.trigger !== "attempt_succeeded";
  const entry = {
    ...{ attempt: 1, started_at: endedAt.toISOString(), duration_ms: 1, response_body: null },
    ...{ response_code: failed ? 500 : 200, error: failed ? attemptError("http_error") : null },
  };
  await recordResults(stack.pool, [{ delivery, outcome, endedAt, entry }]);
}

async function cancelItsRecovery({ id, account, endpoint }: Made): Promise<void> {
  const now = new Date();
  const recovery = newId(now);
  await queryRows(stack.pool, {
    text: `with made as (
        insert into webhooks.recoveries (id, account_id, endpoint_id, mode, since, until, status, total, last_seq, created_at)
        values ($1, $2, $3, 'all', $4, $4, 'running', 1, 1, $4))
      update webhooks.deliveries set trigger = 'recover', cause_id = $1, priority = 2 where id = $5`,
    values: [recovery, account, endpoint, now, id],
  });
  await inTransaction(stack.pool, (tx) =>
    cancelRecovery(tx, { accountId: account, now }, recovery),
  );
}

async function retry({ id, account: accountId }: Made): Promise<void> {
  const context = { messages: stack.bus, accountId, now: new Date() };
  await inTransaction(stack.pool, (tx) => retryDelivery(tx, context, id)).catch(
    (error: unknown) => {
      expect(error).toMatchObject({ code: "invalid_state" });
    },
  );
}

/** Does what the trigger is named after. */
async function pull(trigger: MoveTrigger, made: Made): Promise<void> {
  const { account: accountId, endpoint: id } = made;
  const now = new Date();
  switch (trigger) {
    case "attempt_succeeded":
    case "last_attempt_failed":
      return attempt(made, { trigger });
    case "attempt_failed":
      return attempt(made, { trigger, dueAt: new Date(now.getTime() + 3_600_000), step: 0 });
    case "endpoint_paused":
      await inTransaction(stack.pool, (tx) =>
        updateEndpoint(tx, { accountId, id }, { patch: { active: false }, now }),
      );
      return;
    case "endpoint_deleted":
      return deleteEndpoint(stack.pool, { accountId, id }, now);
    case "url_removed":
      await queryRows(stack.pool, {
        text: "delete from webhooks.order_destinations where account_id = $1",
        values: [accountId],
      });
      await claimDeliveries(stack.pool, [made.id], now);
      return;
    case "recovery_cancelled":
      return cancelItsRecovery(made);
    case "retried":
      return retry(made);
  }
}

describe("every status of a delivery and every trigger", () => {
  const pairs = DELIVERY_STATUSES.flatMap((from) =>
    MOVE_TRIGGERS.map((trigger) => {
      return { from, trigger, to: deliveryTargetsOf(from, trigger)[0] ?? from };
    }),
  );

  it.each(pairs)("$from by $trigger: $to, as in the table", async ({ from, trigger, to }) => {
    const made = await deliveryIn(from, trigger);
    await pull(trigger, made);
    const [after] = await stack.deliveries(made.account);
    expect(after?.status).toBe(to);
    expect(after?.completed_at === null).toBe(isWaitingStatus(to));
    expect(after?.next_attempt_at === null).toBe(!isWaitingStatus(to));
  });
});
