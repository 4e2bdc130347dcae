import { expect } from "@jest/globals";
import type { Delivery } from "../../../services/domain/webhook/rules/delivery.ts";
import { eventually } from "../eventually.ts";
import { call, type Answer, type Call } from "../http/call.ts";
import { startWebhookApi } from "./webhook-calls.ts";
import {
  startWebhookReceiver,
  type ReceivedWebhook,
  type WebhookReceiver,
} from "./webhook-receiver.ts";
import { openWebhookStack, type WebhookStack } from "./webhook-stack.ts";

export const ENDPOINTS = "/v2/webhook_endpoints";

/** A webhook stack with a sender, the API's webhook routes, and a receiver that answers 500 to paths from /fails on. */
export interface EndpointStack extends WebhookStack {
  readonly receiver: WebhookReceiver;
  api(key: string, path: string, request?: Omit<Call, "key">): Promise<Answer>;
  /** From now on the path is answered 200. */
  heal(path: string): void;
  /** What arrived at a path. */
  at(path: string): ReceivedWebhook[];
  /** The last of exactly `count` that arrived at a path. */
  lastOf(path: string, count: number): ReceivedWebhook;
  statusesOf(account: string): Promise<Delivery["status"][]>;
  whenStatuses(account: string, statuses: readonly Delivery["status"][]): Promise<void>;
}

export async function openEndpointStack(): Promise<EndpointStack> {
  const healed = new Set<string>();
  const stack = await openWebhookStack({ retrySchedule: "1500ms" });
  const receiver = await startWebhookReceiver(({ path }) =>
    path.startsWith("/fails") && !healed.has(path) ? 500 : 200,
  );
  const running = await startWebhookApi(stack, { allowCidrs: ["127.0.0.0/8"], allowHttp: true });
  await stack.startSender();
  const at = (path: string): ReceivedWebhook[] =>
    receiver.received.filter((webhook) => webhook.path === path);
  const statusesOf = async (account: string): Promise<Delivery["status"][]> =>
    (await stack.deliveries(account)).map((one) => one.status);
  return {
    ...stack,
    receiver,
    api: (key, path, request = {}) => call(running.url + path, { ...request, key }),
    heal: (path) => void healed.add(path),
    at,
    lastOf: (path, count) => {
      const found = at(path);
      expect(found).toHaveLength(count);
      const last = found.at(-1);
      if (last === undefined) throw new Error("nothing was received");
      return last;
    },
    statusesOf,
    whenStatuses: (account, statuses) =>
      eventually(async () => expect((await statusesOf(account)).sort()).toEqual(statuses)),
  };
}
