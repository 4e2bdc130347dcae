/** @tier all */
import { expect, it } from "@jest/globals";
import { freePort } from "../../../infra/start/supervisor/ports.ts";
import { freshEvent } from "../../support/orders/event-factory.ts";
import { eventually } from "../../support/eventually.ts";
import { clockOff } from "../../support/programs/wrong-clock.ts";
import { spawnSender } from "../../support/webhooks/sender-process.ts";
import { startWebhookReceiver } from "../../support/webhooks/webhook-receiver.ts";
import { openWebhookStack, type WebhookStack } from "../../support/webhooks/webhook-stack.ts";

const MINUTE_MS = 60_000;
const DELIVERIES = 20;
/** Longer than a sender takes to look for deliveries whose lease has ended. */
const ANSWER_MS = 4_000;
const RETRY_MS = 2_000;
const PATIENCE_MS = 60_000;

async function startSender(stack: WebhookStack, offByMs: number): Promise<void> {
  const port = String(await freePort());
  spawnSender(stack, { ...clockOff(offByMs), HEALTH_PORT: port });
  await eventually(async () => {
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
  }, PATIENCE_MS);
}

it("two senders whose clocks differ by more than an hour send each delivery once, and retry when it is due", async () => {
  const stack = await openWebhookStack({ retrySchedule: "2s" });
  const seen = new Set<string>();
  const receiver = await startWebhookReceiver(async ({ path }) => {
    if (seen.has(path)) return 200;
    seen.add(path);
    await new Promise((resolve) => setTimeout(resolve, ANSWER_MS));
    return 500;
  });
  const account = await stack.newAccount();
  for (let n = 0; n < DELIVERIES; n += 1) await stack.newEndpoint(account, `${receiver.url}/${n}`);
  await Promise.all([startSender(stack, -10 * MINUTE_MS), startSender(stack, 60 * MINUTE_MS)]);
  await stack.publish([freshEvent(account)]);
  const deliveries = await eventually(async () => {
    const all = await stack.deliveries(account);
    expect(all.map(({ status }) => status)).toEqual(Array(DELIVERIES).fill("succeeded"));
    return all;
  }, PATIENCE_MS);
  expect(receiver.received).toHaveLength(2 * DELIVERIES);
  for (const { attempt_log: attempts } of deliveries) {
    const [first, second] = attempts.map((one) => new Date(one.started_at).getTime());
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(ANSWER_MS + RETRY_MS);
    expect(Math.abs(Date.now() - (first ?? 0))).toBeLessThan(2 * PATIENCE_MS);
  }
});
