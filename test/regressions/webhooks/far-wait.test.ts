import { beforeAll, describe, expect, it } from "@jest/globals";
import { queryRows } from "../../../services/platform/db/transaction.ts";
import {
  clampWaits,
  type ClampCursor,
} from "../../../services/webhook-sender/store/due-deliveries.ts";
import { freshEvent } from "../../support/orders/event-factory.ts";
import { eventually } from "../../support/eventually.ts";
import { startWebhookReceiver } from "../../support/webhooks/webhook-receiver.ts";
import { openWebhookStack, type WebhookStack } from "../../support/webhooks/webhook-stack.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DELAYS_MS = [MINUTE_MS, 5 * MINUTE_MS];
const MORE_THAN_A_PAGE = 4_500;

let stack: WebhookStack;
let account: string;

beforeAll(async () => {
  stack = await openWebhookStack({ retrySchedule: "1m,5m" });
  account = await stack.newAccount();
});

interface Waiting {
  readonly attempts: number;
  readonly waitMs: number;
  readonly byHand?: boolean;
  readonly count?: number;
}

/** Adds waiting deliveries to a queue of their own; returns its key. */
async function wait({ attempts, waitMs, byHand = false, count = 1 }: Waiting): Promise<string> {
  const [made] = await queryRows<{ endpoint_key: string }>(stack.pool, {
    text: `with queue as materialized (select gen_random_uuid() as key)
      insert into webhooks.deliveries (id, created_at, account_id, event_id, event_type, event_at, cause_id, trigger,
        endpoint_key, url, status, attempt_count, by_hand, next_attempt_at)
      select messaging.uuid_at(t.at), t.at, $1, gen_random_uuid(), 'porting_order.created', t.at, gen_random_uuid(),
        'event', queue.key, 'https://hooks.example.com', case when $2::integer = 0 then 'pending' else 'retrying' end, $2, $3,
        now() + $4::float8 * interval '1 millisecond'
      from queue, (select date_trunc('milliseconds', now()) as at from generate_series(1, $5::integer)) t
      returning endpoint_key`,
    values: [account, attempts, byHand, waitMs, count],
  });
  return made?.endpoint_key ?? "";
}

/** The longest wait of a queue from now, to the second. */
async function longestWait(key: string): Promise<number> {
  const [row] = await queryRows<{ ms: number }>(stack.pool, {
    text: `select (extract(epoch from max(next_attempt_at) - now()) * 1000)::float8 as ms
      from webhooks.deliveries where endpoint_key = $1`,
    values: [key],
  });
  return Math.round((row?.ms ?? NaN) / 1_000) * 1_000;
}

async function clampAll(): Promise<number> {
  let [clamped, cursor]: [number, ClampCursor | null] = [0, null];
  do {
    const page = await clampWaits(stack.pool, DELAYS_MS, cursor);
    clamped += page.clamped;
    cursor = page.last;
  } while (cursor !== null);
  return clamped;
}

/** Each wait with the longest that is left of it. */
const CASES: readonly (readonly [string, Waiting, number])[] = [
  ["before its first attempt", { attempts: 0, waitMs: HOUR_MS }, 0],
  ["after its first attempt", { attempts: 1, waitMs: HOUR_MS }, MINUTE_MS],
  ["after its second attempt", { attempts: 2, waitMs: HOUR_MS }, 5 * MINUTE_MS],
  ["of a longer schedule", { attempts: 4, waitMs: HOUR_MS }, 5 * MINUTE_MS],
  ["that is retried by hand", { attempts: 2, waitMs: HOUR_MS, byHand: true }, 0],
  ["that is as long as its step", { attempts: 1, waitMs: MINUTE_MS }, MINUTE_MS],
  ["that is shorter than its step", { attempts: 2, waitMs: MINUTE_MS }, MINUTE_MS],
];

/** A sender whose clock was an hour ahead left waits of an hour, also where the step was a minute. */
describe("a wait beyond its backoff step", () => {
  it("is ended by the sweeper of a sender", async () => {
    const receiver = await startWebhookReceiver(() => 200);
    const endpointId = (await stack.newEndpoint(account, receiver.url)).id;
    const sender = await stack.startSender();
    await stack.publish([freshEvent(account)]);
    await eventually(async () => {
      const statuses = (await stack.deliveries(account)).map(({ status }) => status);
      expect(statuses).toEqual(["succeeded"]);
    });
    await queryRows(stack.pool, {
      text: `update webhooks.deliveries set status = 'pending', attempt_count = 0, completed_at = null,
        next_attempt_at = now() + interval '1 hour' where endpoint_id = $1`,
      values: [endpointId],
    });
    await eventually(() => {
      expect(receiver.received).toHaveLength(2);
    });
    await sender.stop();
  });

  it.each(CASES)("%s is brought back to at most the step from now", async (_which, waiting, ms) => {
    const key = await wait(waiting);
    await clampAll();
    const left = await longestWait(key);
    expect(left).toBeLessThanOrEqual(ms);
    expect(left).toBeGreaterThan(ms - 30_000);
  });

  it("is found behind pages of others, which stay as they are", async () => {
    const others = await wait({ attempts: 2, waitMs: 5 * MINUTE_MS, count: MORE_THAN_A_PAGE });
    const key = await wait({ attempts: 1, waitMs: 4 * MINUTE_MS });
    expect(await clampAll()).toBe(1);
    expect(await longestWait(key)).toBeLessThanOrEqual(MINUTE_MS);
    expect(await longestWait(others)).toBeGreaterThan(4 * MINUTE_MS);
  });
});
