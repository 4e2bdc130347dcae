/** @tier all */
import { Writable } from "node:stream";
import { expect, it } from "@jest/globals";
import { freePort } from "../../../infra/start/supervisor/ports.ts";
import { createLogger } from "../../../services/platform/logger.ts";
import { queryRows } from "../../../services/platform/db/transaction.ts";
import { readConfig } from "../../../services/webhook-sender/config.ts";
import { startWebhookSender } from "../../../services/webhook-sender/service.ts";
import { eventually } from "../../support/eventually.ts";
import { freshEvent } from "../../support/orders/event-factory.ts";
import { startWebhookReceiver } from "../../support/webhooks/webhook-receiver.ts";
import { openWebhookStack } from "../../support/webhooks/webhook-stack.ts";

const UNREACHABLE = { KAFKA_BROKERS: "127.0.0.1:1", DATABASE_ROLE: "porting_webhook_sender" };

// It sent what was due in a database that had been restored, until it found that out, and listened only after that.
it("a sender that starts without Kafka answers, and sends nothing before it knows that the database lacks no effects", async () => {
  const stack = await openWebhookStack({ retrySchedule: "1h" });
  let isHealed = false;
  const receiver = await startWebhookReceiver(() => (isHealed ? 200 : 503));
  const account = await stack.newAccount();
  await stack.newEndpoint(account, `${receiver.url}/hook`);
  const before = await stack.startSender();
  await stack.publish([freshEvent(account)]);
  await eventually(async () => {
    const [delivery] = await stack.deliveries(account);
    expect(delivery?.status).toBe("retrying");
  });
  await before.stop();
  isHealed = true;
  await queryRows(stack.pool, {
    text: "update webhooks.deliveries set next_attempt_at = now() - interval '1 minute'",
  });

  const lines: string[] = [];
  const into = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(chunk.toString());
      done();
    },
  });
  const stopping = new AbortController();
  const port = await freePort();
  const starting = startWebhookSender({
    config: readConfig({ ...stack.env, ...UNREACHABLE, HEALTH_PORT: String(port) }),
    log: createLogger("webhook-sender", "warn", into),
    signal: stopping.signal,
  });
  // For some seconds, in which it would have looked for what is due.
  await eventually(() => {
    expect(lines.filter((line) => line.includes("Connection error")).length).toBeGreaterThan(8);
  });
  const ready = await fetch(`http://127.0.0.1:${port}/readyz`);
  expect(await ready.json()).toMatchObject({ detail: "Not ready: broker." });
  stopping.abort();
  await expect(starting).rejects.toMatchObject({ retryable: true });
  expect(receiver.received).toHaveLength(1);

  await stack.startSender();
  await eventually(async () => {
    const [delivery] = await stack.deliveries(account);
    expect(delivery?.status).toBe("succeeded");
  });
  expect(receiver.received).toHaveLength(2);
});
