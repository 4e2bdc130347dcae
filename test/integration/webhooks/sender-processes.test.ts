/** @tier all */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { until } from "../../../infra/start/supervisor/until.ts";
import { freshEvent } from "../../support/orders/event-factory.ts";
import { startHeldReceiver } from "../../support/webhooks/held-receiver.ts";
import { endLeases, killSender, spawnSender } from "../../support/webhooks/sender-process.ts";
import { openWebhookStack, type WebhookStack } from "../../support/webhooks/webhook-stack.ts";
import { startWebhookReceiver } from "../../support/webhooks/webhook-receiver.ts";

let stack: WebhookStack;
const children: ChildProcess[] = [];

beforeAll(async () => {
  stack = await openWebhookStack({ retrySchedule: "1s" });
});

afterEach(async () => {
  await Promise.all(children.splice(0).map(killSender));
});

function spawnOne(): ChildProcess {
  const child = spawnSender(stack);
  children.push(child);
  return child;
}

describe("webhook senders", () => {
  it("repeat and record an attempt whose sender was killed", async () => {
    const account = await stack.newAccount();
    const receiver = await startHeldReceiver();
    await stack.newEndpoint(account, receiver.url);
    const first = spawnOne();
    await stack.publish([freshEvent(account)]);
    await until(() => receiver.requests() === 1, { timeoutMs: 60_000, what: "the attempt" });
    first.kill("SIGKILL");
    await once(first, "exit");
    await endLeases(stack);
    receiver.open();
    spawnOne();
    const isDone = async (): Promise<boolean> =>
      (await stack.deliveries(account)).every((one) => one.status === "succeeded");
    await until(isDone, { timeoutMs: 60_000, what: "the delivery" });
    const [delivery] = await stack.deliveries(account);
    expect(receiver.requests()).toBe(2);
    expect(delivery?.attempt_count).toBe(1);
    expect(
      delivery?.attempt_log.map(({ attempt, response_code, error }) => [
        attempt,
        response_code,
        error?.code ?? null,
      ]),
    ).toEqual([
      [1, null, "interrupted"],
      [1, 200, null],
    ]);
    await receiver.stop();
  });

  it("release attempts that do not end in time after SIGTERM, and stop within 12 s", async () => {
    const account = await stack.newAccount();
    const receiver = await startHeldReceiver();
    await stack.newEndpoint(account, receiver.url);
    const sender = spawnOne();
    await stack.publish([freshEvent(account)]);
    await until(() => receiver.requests() === 1, { timeoutMs: 60_000, what: "the attempt" });
    const asked = performance.now();
    sender.kill("SIGTERM");
    await once(sender, "exit");
    expect(sender.exitCode).toBe(0);
    expect(performance.now() - asked).toBeLessThan(12_000);
    receiver.open();
    spawnOne();
    const isDone = async (): Promise<boolean> =>
      (await stack.deliveries(account)).every((one) => one.status === "succeeded");
    await until(isDone, { timeoutMs: 20_000, what: "the delivery" });
    expect(receiver.requests()).toBe(2);
    const [delivery] = await stack.deliveries(account);
    const [interrupted] = delivery?.attempt_log ?? [];
    expect(interrupted?.error?.code).toBe("interrupted");
    expect(interrupted?.duration_ms).toBeLessThan(12_000);
    await receiver.stop();
  });

  it("share the work of many endpoints and send nothing twice", async () => {
    const receiver = await startWebhookReceiver();
    const accounts = await Promise.all([stack.newAccount(), stack.newAccount()]);
    for (const account of accounts) {
      for (const n of [1, 2, 3])
        await stack.newEndpoint(account, `${receiver.url}/${account}/${n}`);
    }
    const senders = [await stack.startSender(), await stack.startSender()];
    const events = accounts.flatMap((account) =>
      Array.from({ length: 200 }, () => freshEvent(account)),
    );
    await stack.publish(events);
    const isDone = async (): Promise<boolean> => {
      const found = await Promise.all(accounts.map((account) => stack.deliveries(account)));
      const all = found.flat();
      return all.length === 1_200 && all.every((one) => one.status === "succeeded");
    };
    await until(isDone, { timeoutMs: 60_000, what: "all deliveries", everyMs: 250 });
    const found = await Promise.all(accounts.map((account) => stack.deliveries(account)));
    const repeated = found.flat().filter((one) => one.attempt_log.length > 1);
    expect(repeated.map((one) => one.attempt_log)).toEqual([]);
    expect(receiver.received).toHaveLength(1_200);
    expect(
      new Set(receiver.received.map((one) => `${one.path} ${String(one.headers["webhook-id"])}`))
        .size,
    ).toBe(1_200);
    await Promise.all(senders.map((one) => one.stop()));
    await receiver.stop();
  });

  it("never connect to a private address that is not allowed, whatever was stored", async () => {
    const account = await stack.newAccount();
    const receiver = await startWebhookReceiver();
    const { port } = new URL(receiver.url);
    const urls = [
      `http://127.0.0.1:${port}`,
      `http://localhost:${port}`,
      `http://[::ffff:127.0.0.1]:${port}`,
    ];
    for (const url of urls) await stack.newEndpoint(account, url);
    const sender = await stack.startSender({
      WEBHOOK_ALLOW_CIDRS: "",
      WEBHOOK_RETRY_SCHEDULE: "1s",
    });
    await stack.publish([freshEvent(account)]);
    const isDone = async (): Promise<boolean> => {
      const found = await stack.deliveries(account);
      return found.length === 3 && found.every((one) => one.status === "failed");
    };
    await until(isDone, { timeoutMs: 30_000, what: "the refusals" });
    for (const { attempt_log } of await stack.deliveries(account)) {
      expect(attempt_log.map((entry) => entry.error?.code)).toEqual([
        "blocked_address",
        "blocked_address",
      ]);
      expect(JSON.stringify(attempt_log)).not.toContain("127.0.0.1");
    }
    expect(receiver.received).toHaveLength(0);
    await sender.stop();
    await receiver.stop();
  });
});
