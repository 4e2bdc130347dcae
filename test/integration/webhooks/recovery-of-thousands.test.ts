/** @tier nightly */
import { beforeAll, describe, expect, it } from "@jest/globals";
import { eventually } from "../../support/eventually.ts";
import { openRecoveryStack, type RecoveryStack } from "../../support/webhooks/recovery-stack.ts";
import { endLeases, killSender, spawnSender } from "../../support/webhooks/sender-process.ts";
import {
  startWebhookReceiver,
  type WebhookReceiver,
} from "../../support/webhooks/webhook-receiver.ts";

/** An endpoint's largest window plus a batch of unwritten results. */
const MOST_UNDER_WAY = 164;
/** For a sender to start on a busy machine. */
const PATIENCE_MS = 60_000;

let stack: RecoveryStack;
let receiver: WebhookReceiver;

beforeAll(async () => {
  stack = await openRecoveryStack();
  receiver = await startWebhookReceiver();
});

const countAt = (path: string): number =>
  receiver.received.filter((webhook) => webhook.path === path).length;

describe("a recovery of thousands", () => {
  it("continues after a sender was killed, repeats only its attempts under way, and lets first attempts pass", async () => {
    const killed = spawnSender(stack);
    const account = await stack.newAccount();
    await stack.publishFor(account, 3_000);
    await stack.fannedOut(account, 3_000, PATIENCE_MS);
    const { id } = await stack.newEndpoint(account, `${receiver.url}/many`, {
      max_per_second: 300,
    });
    const started = await stack.recover(account, id, { mode: "missing" });
    await eventually(() => expect(countAt("/many")).toBeGreaterThan(200), PATIENCE_MS);
    await killSender(killed);
    expect(countAt("/many")).toBeLessThan(3_000);
    await endLeases(stack);
    const senders = [await stack.startSender(), await stack.startSender()];
    const [event] = await stack.publishFor(account, 1);
    await eventually(() =>
      expect(receiver.received.some(({ headers }) => headers["webhook-id"] === event?.id)).toBe(
        true,
      ),
    );
    const behind = 3_001 - countAt("/many");
    expect(behind).toBeGreaterThan(0);
    const done = await stack.whenDone(account, started);
    expect(done).toMatchObject({ total: 3_000, queued: 3_000, succeeded: 3_000, failed: 0 });
    expect(countAt("/many") - 3_001).toBeLessThanOrEqual(MOST_UNDER_WAY);
    const ids = receiver.received.flatMap(({ path, headers }) =>
      path === "/many" ? [headers["webhook-id"]] : [],
    );
    expect(new Set(ids).size).toBe(3_001);
    await Promise.all(senders.map((sender) => sender.stop()));
  }, 180_000);
});
