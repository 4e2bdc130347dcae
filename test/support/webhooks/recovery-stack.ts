import { expect } from "@jest/globals";
import type { PortingEvent } from "../../../services/messages/generated/porting-event.ts";
import { queryRows } from "../../../services/platform/db/transaction.ts";
import { eventually, whileItMoves } from "../eventually.ts";
import { call, textOf, type Answer, type Call } from "../http/call.ts";
import { freshEvent } from "../orders/event-factory.ts";
import { ENDPOINTS } from "./endpoint-stack.ts";
import { startWebhookApi } from "./webhook-calls.ts";
import { openWebhookStack, type WebhookStack } from "./webhook-stack.ts";

export const RECOVERIES = "/v2/webhook_recoveries";
export const HOUR_MS = 3_600_000;

/** A webhook stack and the API's webhook routes; the test starts the senders. */
export interface RecoveryStack extends WebhookStack {
  api(key: string, path: string, request?: Omit<Call, "key">): Promise<Answer>;
  /** Asks for a recovery of an endpoint, of the last hour unless `since` is given. */
  recover(key: string, id: string, body: Record<string, unknown>): Promise<Answer>;
  /** The record of a recovery once that is completed. */
  whenDone(key: string, recovery: Answer): Promise<Answer["body"]>;
  /** Publishes so many events of an account, the last of now. */
  publishFor(account: string, count: number): Promise<readonly PortingEvent[]>;
  /** Waits until the sender has handled `count` of an account's events. */
  fannedOut(account: string, count: number, deadlineMs?: number): Promise<void>;
}

export const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();

export async function openRecoveryStack(): Promise<RecoveryStack> {
  const stack = await openWebhookStack({ retrySchedule: "200ms" });
  const running = await startWebhookApi(stack, { allowCidrs: ["127.0.0.0/8"], allowHttp: true });
  const api: RecoveryStack["api"] = (key, path, request = {}) =>
    call(running.url + path, { ...request, key });
  return {
    ...stack,
    api,
    recover: (key, id, body) =>
      api(key, `${ENDPOINTS}/${id}/recover`, {
        method: "POST",
        body: { since: ago(HOUR_MS), ...body },
      }),
    whenDone: (key, recovery) =>
      whileItMoves(
        async () => (await api(key, `${RECOVERIES}/${textOf(recovery, "id")}`)).body,
        (body) => body?.["status"] === "completed",
      ),
    publishFor: async (account, count) => {
      const events = Array.from({ length: count }, (_, n) =>
        freshEvent(account, new Date(Date.now() - (count - n) * 10)),
      );
      await stack.publish(events);
      return events;
    },
    fannedOut: (account, count, deadlineMs) =>
      eventually(async () => {
        const [row] = await queryRows<{ seen: number }>(stack.pool, {
          text: `select count(*) as seen from events.log l join messaging.inbox i
            on i.message_id = l.id and i.consumer = 'webhook-sender' where l.account_id = $1`,
          values: [account],
        });
        expect(row?.seen).toBe(count);
      }, deadlineMs),
  };
}
