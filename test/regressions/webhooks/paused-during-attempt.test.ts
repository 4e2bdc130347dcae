import { beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { toStorable } from "../../../services/domain/event/rules/storable-event.ts";
import type { Delivery } from "../../../services/domain/webhook/rules/delivery.ts";
import { updateEndpoint } from "../../../services/domain/webhook/store/endpoints.ts";
import { inTransaction } from "../../../services/platform/db/transaction.ts";
import {
  claimDeliveries,
  putBack,
} from "../../../services/webhook-sender/store/claim-deliveries.ts";
import { fanOut } from "../../../services/webhook-sender/store/fan-out.ts";
import { eventually } from "../../support/eventually.ts";
import { freshEvent } from "../../support/orders/event-factory.ts";
import { startHeldReceiver, type HeldReceiver } from "../../support/webhooks/held-receiver.ts";
import { endLeases, killSender, spawnSender } from "../../support/webhooks/sender-process.ts";
import { openWebhookStack, type WebhookStack } from "../../support/webhooks/webhook-stack.ts";

const PATIENCE_MS = 60_000;

let stack: WebhookStack;
let held: HeldReceiver;
let account: string;
let endpoint: string;

beforeAll(async () => {
  stack = await openWebhookStack({ retrySchedule: "1h" });
});

beforeEach(async () => {
  held = await startHeldReceiver();
  account = await stack.newAccount();
  ({ id: endpoint } = await stack.newEndpoint(account, held.url));
});

async function pauseAndResume(): Promise<void> {
  for (const active of [false, true]) {
    const change = { patch: { active }, now: stack.bus.clock.now() };
    const address = { accountId: account, id: endpoint };
    await inTransaction(stack.pool, (tx) => updateEndpoint(tx, address, change));
  }
}

const whenReceived = (requests: number): Promise<void> =>
  eventually(() => {
    expect(held.requests()).toBe(requests);
  }, PATIENCE_MS);

const whenStatuses = (...statuses: readonly Delivery["status"][]): Promise<Delivery[]> =>
  eventually(async () => {
    const found = await stack.deliveries(account);
    expect(found.map(({ status }) => status)).toEqual(statuses);
    return found;
  }, PATIENCE_MS);

const outcomes = ({ attempt_log }: Delivery) =>
  attempt_log.map(({ response_code, error }) => response_code ?? error?.code);

/** Whoever looked only at whether the endpoint was active then sent it again. */
describe("an attempt during which its endpoint is paused and resumed", () => {
  it("is not repeated where it fails; what is sent after the resumption is", async () => {
    const sender = await stack.startSender();
    await stack.publish([freshEvent(account)]);
    await whenReceived(1);
    await pauseAndResume();
    await stack.publish([freshEvent(account)]);
    await whenReceived(2);
    held.open(500);
    const [skipped, retrying] = await whenStatuses("skipped", "retrying");
    expect([skipped, retrying].map((one) => one && outcomes(one))).toEqual([[500], [500]]);
    expect(skipped).toMatchObject({ next_attempt_at: null });
    await sender.stop();
  });

  it("is not repeated where its sender was killed; one that was interrupted after the resumption is", async () => {
    const killed = spawnSender(stack);
    await stack.publish([freshEvent(account)]);
    await whenReceived(1);
    await pauseAndResume();
    await stack.publish([freshEvent(account)]);
    await whenReceived(2);
    await killSender(killed);
    await endLeases(stack);
    held.open(200);
    const sender = await stack.startSender();
    const [skipped, repeated] = await whenStatuses("skipped", "succeeded");
    expect([skipped, repeated].map((one) => one && outcomes(one))).toEqual([
      ["interrupted"],
      ["interrupted", 200],
    ]);
    expect(held.requests()).toBe(3);
    await sender.stop();
  });

  it("is not made later where it could not be made", async () => {
    const { waiting } = await fanOut(stack.pool, {
      consumer: "webhook-sender",
      events: [toStorable(freshEvent(account))],
      positions: [{ topic: "porting.events", partition: 0, nextOffset: 1 }],
      now: stack.bus.clock.now(),
    });
    const ids = waiting.flatMap(({ delivery_ids }) => delivery_ids);
    const claim = () => claimDeliveries(stack.pool, ids, new Date());
    await putBack(stack.pool, await claim());
    expect(await stack.deliveries(account)).toMatchObject([{ status: "pending" }]);
    const claimed = await claim();
    await pauseAndResume();
    await putBack(stack.pool, claimed);
    expect(await stack.deliveries(account)).toMatchObject([
      { status: "skipped", attempt_count: 0, next_attempt_at: null, attempt_log: [] },
    ]);
    expect(await claim()).toEqual([]);
  });
});
