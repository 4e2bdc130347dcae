import { beforeAll, describe, expect, it } from "@jest/globals";
import type { Delivery } from "../../../services/domain/webhook/rules/delivery.ts";
import { call, textOf, type Answer } from "../../support/http/call.ts";
import { freshEvent } from "../../support/orders/event-factory.ts";
import { eventually } from "../../support/eventually.ts";
import { startHeldReceiver, type HeldReceiver } from "../../support/webhooks/held-receiver.ts";
import { startWebhookApi, type RunningApi } from "../../support/webhooks/webhook-calls.ts";
import { openWebhookStack, type WebhookStack } from "../../support/webhooks/webhook-stack.ts";

let stack: WebhookStack;
let running: RunningApi;
let held: HeldReceiver;
let account: string;

beforeAll(async () => {
  stack = await openWebhookStack({ retrySchedule: "200ms" });
  running = await startWebhookApi(stack, { allowCidrs: ["127.0.0.0/8"], allowHttp: true });
  held = await startHeldReceiver();
  account = await stack.newAccount();
  await stack.startSender();
});

const post = (path: string, body: unknown = {}): Promise<Answer> =>
  call(`${running.url}/v2${path}`, { key: account, method: "POST", body });

/** The recovery's delivery once it has the status. */
const recovered = (status: string): Promise<Delivery> =>
  eventually(async () => {
    const found = await stack.deliveries(account);
    const one = found.find(({ trigger }) => trigger === "recover");
    if (one?.status !== status) throw new Error(`It is ${one?.status ?? "not there"} yet.`);
    return one;
  });

/** A pause cancels the running recovery, which also prevented every later attempt of its deliveries. */
describe("a delivery of a recovery that ended with a pause", () => {
  it("is attempted when retried by hand, and takes the result of that attempt", async () => {
    await stack.publish([freshEvent(account, new Date(Date.now() - 10))]);
    const { id } = await stack.newEndpoint(account, held.url, { active: false });
    const endpoint = `/webhook_endpoints/${id}`;
    const since = new Date(Date.now() - 3_600_000).toISOString();
    const request = { mode: "all", since };
    await eventually(async () => {
      const counted = await post(`${endpoint}/recover`, { ...request, dry_run: true });
      expect(counted.body?.["total"]).toBe(1);
    });
    const setActive = (active: boolean): Promise<Answer> =>
      call(`${running.url}/v2${endpoint}`, { key: account, method: "PATCH", body: { active } });

    await setActive(true);
    const started = await post(`${endpoint}/recover`, request);
    await eventually(() => expect(held.requests()).toBe(1));
    await setActive(false);
    held.open(500);
    await eventually(async () => {
      const path = `/v2/webhook_recoveries/${textOf(started, "id")}`;
      const { body } = await call(running.url + path, { key: account });
      expect(body?.["status"]).toBe("cancelled");
    });
    await setActive(true);
    const retry = `/webhook_deliveries/${(await recovered("skipped")).id}/retry`;
    expect((await post(retry)).status).toBe(202);
    await recovered("failed");
    held.open(200);
    expect((await post(retry)).status).toBe(202);
    await recovered("succeeded");
  });
});
