/** @tier nightly */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import type { Delivery } from "../../../services/domain/webhook/rules/delivery.ts";
import { queryRows } from "../../../services/platform/db/transaction.ts";
import { call, textOf, type Call } from "../../support/http/call.ts";
import { freshEvent } from "../../support/orders/event-factory.ts";
import { eventually } from "../../support/eventually.ts";
import { endLeases, killSender, spawnSender } from "../../support/webhooks/sender-process.ts";
import { startWebhookApi, type RunningApi } from "../../support/webhooks/webhook-calls.ts";
import { openWebhookStack, type WebhookStack } from "../../support/webhooks/webhook-stack.ts";
import {
  startWebhookReceiver,
  type ReceivedWebhook,
  type WebhookReceiver,
} from "../../support/webhooks/webhook-receiver.ts";
import { signatureHolds } from "../../support/webhooks/webhook-signature.ts";

const ENDPOINTS = "/v2/webhook_endpoints";
const PATIENCE_MS = 60_000;

let stack: WebhookStack;
let api: RunningApi;
const senders: ChildProcess[] = [];
const receivers: WebhookReceiver[] = [];

/** The first wait is long enough to kill a sender between two attempts, also where the machine is busy. */
const RETRY_SCHEDULE = "5s,1s";

beforeAll(async () => {
  stack = await openWebhookStack({ retrySchedule: RETRY_SCHEDULE });
  api = await startWebhookApi(stack, { allowCidrs: ["127.0.0.0/8"], allowHttp: true });
});

afterEach(async () => {
  await Promise.all(senders.splice(0).map(killSender));
  await Promise.all(receivers.splice(0).map((receiver) => receiver.stop()));
});

function spawnOne(): ChildProcess {
  const sender = spawnSender(stack);
  senders.push(sender);
  return sender;
}

async function receive(
  answer: (webhook: ReceivedWebhook) => number | Promise<number>,
): Promise<WebhookReceiver> {
  const receiver = await startWebhookReceiver(answer);
  receivers.push(receiver);
  return receiver;
}

const keyOf = ({ path, headers }: ReceivedWebhook): string =>
  `${path} ${String(headers["webhook-id"])}`;

/** How often each delivery was received, by path and event. */
function tally({ received }: WebhookReceiver): Map<string, number> {
  const counts = new Map<string, number>();
  for (const webhook of received) {
    counts.set(keyOf(webhook), (counts.get(keyOf(webhook)) ?? 0) + 1);
  }
  return counts;
}

const resultsIn = ({ attempt_log }: Delivery) =>
  attempt_log.filter(({ error }) => error?.code !== "interrupted");

const codesIn = ({ attempt_log }: Delivery) =>
  attempt_log.map(({ response_code, error }) => response_code ?? error?.code);

/** The number of deliveries that a killed sender had under way, once its last statements have ended. */
async function leasesLeft(): Promise<number> {
  await eventually(async () => {
    const sessions = await queryRows(stack.pool, {
      text: `select pid from pg_stat_activity
        where datname = current_database() and application_name like 'webhook-sender%'`,
    });
    expect(sessions).toEqual([]);
  });
  const [row] = await queryRows<{ held: number }>(stack.pool, {
    text: `select count(*) as held from webhooks.deliveries
      where lease_until > clock_timestamp() and status in ('pending', 'retrying')`,
  });
  return row?.held ?? 0;
}

const whenAll = (
  account: string,
  count: number,
  status: Delivery["status"],
): Promise<readonly Delivery[]> =>
  eventually(async () => {
    const found = await stack.deliveries(account);
    expect(found.map((one) => one.status)).toEqual(Array<string>(count).fill(status));
    return found;
  }, PATIENCE_MS);

const atEndpoints = (key: string, path: string, request: Omit<Call, "key"> = {}) =>
  call(api.url + ENDPOINTS + path, { ...request, key });

describe("a sender that is killed repeatedly", () => {
  it("leaves every row correct, and repeats at most its attempts under way", async () => {
    const [endpoints, events] = [4, 150];
    const tried = new Set<string>();
    const receiver = await receive(async (webhook) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      const isFirst = !tried.has(keyOf(webhook));
      tried.add(keyOf(webhook));
      return webhook.path === "/0" && isFirst ? 500 : 200;
    });
    const account = await stack.newAccount();
    for (let n = 0; n < endpoints; n += 1) await stack.newEndpoint(account, `${receiver.url}/${n}`);
    await stack.publish(Array.from({ length: events }, () => freshEvent(account)));
    let underWay = 0;
    for (const received of [50, 200, 400]) {
      const sender = spawnOne();
      await eventually(() => {
        expect(receiver.received.length).toBeGreaterThan(received);
      }, PATIENCE_MS);
      await killSender(sender);
      underWay += await leasesLeft();
      await endLeases(stack);
    }
    expect(underWay).toBeGreaterThan(0);
    spawnOne();
    const total = endpoints * events;
    const deliveries = await whenAll(account, total, "succeeded");
    const counts = tally(receiver);
    const paths = await pathsOf(account);
    for (const delivery of deliveries) {
      const requests = counts.get(`${paths.get(delivery.id) ?? ""} ${delivery.event_id}`) ?? 0;
      const results = resultsIn(delivery).length;
      // Every request is logged, as a result or as interrupted; every result belongs to a request.
      expect(requests).toBeGreaterThanOrEqual(results);
      expect(requests).toBeLessThanOrEqual(delivery.attempt_log.length);
      expect(delivery.attempt_count).toBe(results);
    }
    const results = deliveries.reduce((sum, delivery) => sum + resultsIn(delivery).length, 0);
    expect(receiver.received.length - results).toBeLessThanOrEqual(underWay);
    const interrupted = deliveries.flatMap(codesIn).filter((code) => code === "interrupted");
    expect(interrupted).toHaveLength(underWay);
  });
});

async function pathsOf(account: string): Promise<Map<string, string>> {
  const deliveries = await stack.deliveries(account);
  return new Map(deliveries.map(({ id, url }) => [id, new URL(url).pathname]));
}

describe("two senders on one delivery", () => {
  it.each([
    { late: 500, current: [200], codes: ["interrupted", 200] },
    { late: 200, current: [500, 200], codes: ["interrupted", 500, 200] },
  ])(
    "record the result of the claim's holder: $current, not the late $late",
    async ({ late, current, codes }) => {
      const answers: ((status: number) => void)[] = [];
      const receiver = await receive(
        () => new Promise<number>((resolve) => void answers.push(resolve)),
      );
      const account = await stack.newAccount();
      const { id } = await stack.newEndpoint(account, receiver.url);
      const frozen = spawnOne();
      await stack.publish([freshEvent(account)]);
      await eventually(() => expect(answers).toHaveLength(1), PATIENCE_MS);
      frozen.kill("SIGSTOP");
      await endLeases(stack);
      const awake = spawnOne();
      for (const [n, status] of current.entries()) {
        await eventually(() => expect(answers).toHaveLength(n + 2), PATIENCE_MS);
        answers[n + 1]?.(status);
      }
      await whenAll(account, 1, "succeeded");
      answers[0]?.(late);
      frozen.kill("SIGCONT");
      // It writes its results before it ends.
      frozen.kill("SIGTERM");
      await once(frozen, "exit");
      const [delivery] = await stack.deliveries(account);
      expect(delivery && codesIn(delivery)).toEqual(codes);
      expect(delivery).toMatchObject({ status: "succeeded", attempt_count: current.length });
      expect(receiver.received).toHaveLength(current.length + 1);
      const record = await atEndpoints(account, `/${id}`);
      expect(record.body).toMatchObject({ consecutive_failures: 0 });
      await killSender(awake);
    },
  );

  it("share new events after one of them was frozen for longer than its session", async () => {
    const receiver = await receive(() => 200);
    const account = await stack.newAccount();
    for (const path of ["/a", "/b", "/c"]) await stack.newEndpoint(account, receiver.url + path);
    const frozen = spawnOne();
    await stack.publish([freshEvent(account)]);
    await whenAll(account, 3, "succeeded");
    frozen.kill("SIGSTOP");
    spawnOne();
    await stack.publish(Array.from({ length: 40 }, () => freshEvent(account)));
    // The other sender gets the partitions when the frozen one's session times out.
    await whenAll(account, 123, "succeeded");
    frozen.kill("SIGCONT");
    await stack.publish(Array.from({ length: 40 }, () => freshEvent(account)));
    await whenAll(account, 243, "succeeded");
    expect(frozen.exitCode).toBeNull();
    expect([...tally(receiver).values()]).toEqual(Array<number>(243).fill(1));
  });
});

describe("endpoints that change while a dead sender's deliveries wait", () => {
  it("get them with the current settings, or not at all", async () => {
    const isHealed = { now: false };
    const receiver = await receive(({ path }) => {
      if (path.startsWith("/held")) return new Promise<number>(() => undefined);
      return path.startsWith("/fails") && !isHealed.now ? 500 : 200;
    });
    const account = await stack.newAccount();
    const add = async (path: string): Promise<string> =>
      (await stack.newEndpoint(account, receiver.url + path)).id;
    const [paused, deleted] = [await add("/fails/paused"), await add("/fails/deleted")];
    const [rotated, moved] = [await add("/fails/rotated"), await add("/fails/moved")];
    const [heldPaused, heldDeleted] = [await add("/held/paused"), await add("/held/deleted")];
    const sender = spawnOne();
    await stack.publish([freshEvent(account)]);
    await eventually(async () => {
      const found = await stack.deliveries(account);
      expect(found.filter((one) => one.status === "retrying")).toHaveLength(4);
      expect(receiver.received.filter(({ path }) => path.startsWith("/held"))).toHaveLength(2);
    }, PATIENCE_MS);
    await killSender(sender);
    const before = receiver.received.length;
    isHealed.now = true;
    for (const id of [paused, heldPaused]) {
      await atEndpoints(account, `/${id}`, { method: "PATCH", body: { active: false } });
    }
    for (const id of [deleted, heldDeleted])
      await atEndpoints(account, `/${id}`, { method: "DELETE" });
    const secret = await atEndpoints(account, `/${rotated}/rotate_secret`, { method: "POST" });
    await atEndpoints(account, `/${moved}`, {
      method: "PATCH",
      body: { url: `${receiver.url}/new` },
    });
    await endLeases(stack);
    spawnOne();
    const ends = await eventually(async () => {
      const found = await stack.deliveries(account);
      expect(found.some(({ completed_at }) => completed_at === null)).toBe(false);
      return new Map(found.map((one) => [one.webhook_endpoint_id, one]));
    }, PATIENCE_MS);
    const end = (id: string) => {
      const one = ends.get(id);
      return [one?.status, one && codesIn(one).at(-1)];
    };
    expect([end(paused), end(deleted)]).toEqual([
      ["skipped", 500],
      ["cancelled", 500],
    ]);
    expect([end(heldPaused), end(heldDeleted)]).toEqual([
      ["skipped", "interrupted"],
      ["cancelled", "interrupted"],
    ]);
    expect([end(rotated), end(moved)]).toEqual([
      ["succeeded", 200],
      ["succeeded", 200],
    ]);
    const after = receiver.received.slice(before);
    expect(after.map(({ path }) => path).sort()).toEqual(["/fails/rotated", "/new"]);
    const signed = after.find(({ path }) => path === "/fails/rotated");
    expect(signed && signatureHolds(textOf(secret, "signing_secret"), signed)).toBe(true);
  });
});
