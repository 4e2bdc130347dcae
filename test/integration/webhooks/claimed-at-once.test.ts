/** @tier all */
import type { ChildProcess } from "node:child_process";
import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import {
  toStorable,
  type StorableEvent,
} from "../../../services/domain/event/rules/storable-event.ts";
import { storeEvents } from "../../../services/domain/event/store/store-events.ts";
import { updateEndpoint } from "../../../services/domain/webhook/store/endpoints.ts";
import { inTransaction, queryRows } from "../../../services/platform/db/transaction.ts";
import { claimDeliveries } from "../../../services/webhook-sender/store/claim-deliveries.ts";
import { recordResults } from "../../../services/webhook-sender/store/record-results.ts";
import { fanOut } from "../../../services/webhook-sender/store/fan-out.ts";
import { eventually } from "../../support/eventually.ts";
import { freshEvent } from "../../support/orders/event-factory.ts";
import { startHeldReceiver } from "../../support/webhooks/held-receiver.ts";
import { endLeases, killSender, spawnSender } from "../../support/webhooks/sender-process.ts";
import { openWebhookStack, type WebhookStack } from "../../support/webhooks/webhook-stack.ts";

const URL_OF_ENDPOINT = "https://hooks.example.com/in";
const PATIENCE_MS = 60_000;

let stack: WebhookStack;
const senders: ChildProcess[] = [];

beforeAll(async () => {
  stack = await openWebhookStack({ retrySchedule: "1h" });
});

afterEach(async () => {
  await Promise.all(senders.splice(0).map(killSender));
});

const newEvents = (account: string, count: number): StorableEvent[] =>
  Array.from({ length: count }, () => toStorable(freshEvent(account)));

const fanOutInto = (
  rooms: Readonly<Record<string, number>>,
  events: readonly StorableEvent[],
  now = new Date(),
) =>
  fanOut(stack.pool, {
    consumer: "webhook-sender",
    events,
    positions: [{ topic: "porting.events", partition: 0, nextOffset: 1 }],
    now,
    rooms,
  });

describe("deliveries that are claimed as they are created", () => {
  it("are as many as the endpoint has room for, and what a claim would return", async () => {
    const account = await stack.newAccount();
    const { id } = await stack.newEndpoint(account, URL_OF_ENDPOINT);
    const events = newEvents(account, 3);
    const now = new Date();
    const { waiting, claimed } = await fanOutInto({ [id]: 2 }, events, now);
    expect(claimed).toHaveLength(2);
    expect(waiting.map(({ delivery_ids }) => delivery_ids.length)).toEqual([1]);
    const all = [...claimed.map((one) => one.id), ...(waiting[0]?.delivery_ids ?? [])];
    const [later, ...none] = await claimDeliveries(stack.pool, all, now);
    expect(none).toEqual([]);
    const [one] = claimed;
    const event = events.find((stored) => stored.id === one?.event_id);
    const byIt = { event_id: event?.id, event_at: event?.createdAt, body: event?.body };
    expect(one).toEqual({ ...later, ...byIt, id: one?.id, event_type: event?.type });
    const asClaimed = async () => {
      const [row] = await queryRows<{ claimed: number }>(stack.pool, {
        text: `select count(*) as claimed from webhooks.deliveries where endpoint_id = $1 and status = 'pending'
          and attempt_count = 1 and claim_no = 1 and next_attempt_at between $2 and claimed_at and attempt_log = '[]'
          and created_at >= date_trunc('milliseconds', $2::timestamptz) and cause_id = event_id and endpoint_key = endpoint_id
          and lease_until between now() + interval '20 seconds' and now() + interval '30 seconds'`,
        values: [id, now],
      });
      return row?.claimed;
    };
    expect(await asClaimed()).toBe(3);
  });

  it("are signed with the previous secret too, while it overlaps", async () => {
    const account = await stack.newAccount();
    const { id } = await stack.newEndpoint(account, URL_OF_ENDPOINT);
    const previousOf = async (until: string) => {
      await queryRows(stack.pool, {
        text: `update webhooks.endpoints set previous_secret = signing_secret,
          previous_secret_key_id = secret_key_id, previous_secret_expires_at = now() + $2::interval where id = $1`,
        values: [id, until],
      });
      const { claimed } = await fanOutInto({ [id]: 1 }, newEvents(account, 1));
      return claimed.map((one) => one.previous_secret !== null);
    };
    expect([await previousOf("1 hour"), await previousOf("-1 hour")]).toEqual([[true], [false]]);
  });

  it("are none of suspended accounts, and of paused and deleted endpoints", async () => {
    const account = await stack.newAccount();
    const { id } = await stack.newEndpoint(account, URL_OF_ENDPOINT);
    const paused = await stack.newEndpoint(account, URL_OF_ENDPOINT, { active: false });
    const deleted = await stack.newEndpoint(account, URL_OF_ENDPOINT);
    await queryRows(stack.pool, {
      text: "update webhooks.endpoints set deleted_at = now() where id = $1",
      values: [deleted.id],
    });
    await queryRows(stack.pool, {
      text: "update accounts.accounts set status = 'suspended' where id = $1",
      values: [account],
    });
    const rooms = { [id]: 5, [paused.id]: 5, [deleted.id]: 5 };
    const { waiting, claimed } = await fanOutInto(rooms, newEvents(account, 1));
    expect(claimed).toEqual([]);
    expect(waiting.map((one) => one.endpoint_key)).toEqual([id]);
    const found = await stack.deliveries(account);
    expect(found.map((one) => one.status).toSorted()).toEqual(["pending", "skipped"]);
  });

  it("are sent with the bytes that the log has, where another stored an event before", async () => {
    const account = await stack.newAccount();
    const { id } = await stack.newEndpoint(account, URL_OF_ENDPOINT);
    const [first, other] = newEvents(account, 2);
    if (first === undefined || other === undefined) throw new Error("no event");
    await storeEvents(stack.pool, [first], { consumer: "event-log", positions: [] });
    const changed = { ...first, body: Buffer.from('{"changed":true}') };
    const { waiting, claimed } = await fanOutInto({ [id]: 5 }, [changed, other]);
    expect(waiting).toEqual([]);
    const bodies = new Map(claimed.map((one) => [one.event_id, one.body]));
    expect([bodies.get(first.id), bodies.get(other.id)]).toEqual([first.body, other.body]);
  });

  it("are skipped where their sender ended, and their endpoint was paused and resumed before another started", async () => {
    const account = await stack.newAccount();
    const { id } = await stack.newEndpoint(account, URL_OF_ENDPOINT);
    await fanOutInto({ [id]: 1 }, newEvents(account, 1));
    const setActive = (active: boolean) =>
      inTransaction(stack.pool, (tx) =>
        updateEndpoint(tx, { accountId: account, id }, { patch: { active }, now: new Date() }),
      );
    await setActive(false);
    await endLeases(stack);
    await setActive(true);
    expect(await stack.deliveries(account)).toMatchObject([
      { status: "skipped", attempt_log: [{ error: { code: "interrupted" } }] },
    ]);
  });

  it("are recorded once, under the claim that they were created with", async () => {
    const account = await stack.newAccount();
    const { id } = await stack.newEndpoint(account, URL_OF_ENDPOINT);
    const { claimed } = await fanOutInto({ [id]: 1 }, newEvents(account, 1));
    const [delivery] = claimed;
    if (delivery === undefined) throw new Error("nothing was claimed");
    const shown = { id: delivery.id, status: "pending", attempting: true, attempt_count: 0 };
    expect(await stack.deliveries(account)).toMatchObject([shown]);
    const endedAt = new Date();
    const entry = {
      ...{ attempt: 1, started_at: endedAt.toISOString(), duration_ms: 1 },
      ...{ response_code: 200, error: null, response_body: "" },
    };
    const result = { delivery, outcome: { trigger: "attempt_succeeded" as const }, endedAt, entry };
    const done = { id: delivery.id, status: "succeeded" };
    expect(await recordResults(stack.pool, [result])).toEqual([done]);
    expect(await recordResults(stack.pool, [result])).toEqual([]);
    expect(await stack.deliveries(account)).toMatchObject([
      { ...done, attempting: false, attempt_count: 1, attempt_log: [entry], completed_at: endedAt },
    ]);
  });

  it("are sent by another where their sender was killed before it began", async () => {
    const receiver = await startHeldReceiver();
    receiver.open();
    const account = await stack.newAccount();
    const { id } = await stack.newEndpoint(account, receiver.url);
    const { claimed } = await fanOutInto({ [id]: 1 }, newEvents(account, 1));
    expect(claimed).toHaveLength(1);
    await endLeases(stack);
    senders.push(spawnSender(stack));
    const [delivery] = await eventually(async () => {
      const found = await stack.deliveries(account);
      expect(found).toMatchObject([{ status: "succeeded", attempt_count: 1 }]);
      return found;
    }, PATIENCE_MS);
    const codes = delivery?.attempt_log.map((one) => one.response_code ?? one.error?.code);
    expect(codes).toEqual(["interrupted", 200]);
    expect(receiver.requests()).toBe(1);
    await receiver.stop();
  });

  it("are attempted again under the same number where their sender was killed", async () => {
    const receiver = await startHeldReceiver();
    const account = await stack.newAccount();
    const { id } = await stack.newEndpoint(account, receiver.url);
    const first = spawnSender(stack);
    senders.push(first);
    receiver.open();
    await stack.publish([freshEvent(account)]);
    const whenSucceeded = (count: number) =>
      eventually(async () => {
        const found = await stack.deliveries(account);
        expect(found.map(({ status }) => status)).toEqual(Array<string>(count).fill("succeeded"));
        return found;
      }, PATIENCE_MS);
    await whenSucceeded(1);
    receiver.hold();
    await stack.publish([freshEvent(account)]);
    await eventually(() => {
      expect(receiver.requests()).toBe(2);
    }, PATIENCE_MS);
    await eventually(async () => {
      const rows = await queryRows(stack.pool, {
        text: `select d.xmin = i.xmin as at_once, d.claim_no, d.attempt_count from webhooks.deliveries d
          join messaging.inbox i on i.message_id = d.event_id and i.consumer = 'webhook-sender'
          where d.endpoint_id = $1 and d.status = 'pending'`,
        values: [id],
      });
      expect(rows).toEqual([{ at_once: true, claim_no: 1, attempt_count: 1 }]);
    });
    await killSender(first);
    await endLeases(stack);
    receiver.open();
    senders.push(spawnSender(stack));
    const [, again] = await whenSucceeded(2);
    expect(receiver.requests()).toBe(3);
    expect(again?.attempt_count).toBe(1);
    expect(again?.attempt_log.map((one) => one.response_code ?? one.error?.code)).toEqual([
      "interrupted",
      200,
    ]);
    await receiver.stop();
  });
});
