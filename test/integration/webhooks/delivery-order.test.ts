import { beforeAll, describe, expect, it } from "@jest/globals";
import { toStorable } from "../../../services/domain/event/rules/storable-event.ts";
import type { Delivery } from "../../../services/domain/webhook/rules/delivery.ts";
import { listDeliveries } from "../../../services/domain/webhook/store/deliveries.ts";
import { idRange } from "../../../services/platform/db/id-range.ts";
import {
  inTransaction,
  queryRows,
  type Queryable,
} from "../../../services/platform/db/transaction.ts";
import { fanOut } from "../../../services/webhook-sender/store/fan-out.ts";
import { stepRecovery } from "../../../services/webhook-sender/store/step-recoveries.ts";
import { eventually } from "../../support/eventually.ts";
import { call } from "../../support/http/call.ts";
import { freshEvent } from "../../support/orders/event-factory.ts";
import { startWebhookApi } from "../../support/webhooks/webhook-calls.ts";
import { openWebhookStack, type WebhookStack } from "../../support/webhooks/webhook-stack.ts";

const MINUTE_MS = 60_000;
const URL_OF_ENDPOINT = "https://hooks.example.com/in";

let stack: WebhookStack;

beforeAll(async () => {
  stack = await openWebhookStack({ retrySchedule: "1h", onBroker: false });
});

/** An event of an account, which happened so long ago. */
const eventOf = (account: string, agoMs = 0) => freshEvent(account, new Date(Date.now() - agoMs));

const make = (db: Queryable, events: readonly ReturnType<typeof eventOf>[]) =>
  fanOut(db, {
    consumer: "webhook-sender",
    events: events.map(toStorable),
    positions: [],
    now: new Date(),
  });

/** Who follows the list of an account's deliveries by its cursor, as a client does. */
class Follower {
  readonly seen: Delivery[] = [];
  readonly #account: string;

  constructor(account: string) {
    this.#account = account;
  }

  async follow(): Promise<void> {
    for (let hasMore = true; hasMore;) {
      const range = idRange(
        { direction: "asc", cursorId: this.seen.at(-1)?.id ?? null, fetch: 3 },
        {},
      );
      const page = await listDeliveries(stack.pool, {
        accountId: this.#account,
        range,
        filter: {},
      });
      this.seen.push(...page.rows);
      ({ hasMore } = page);
    }
  }

  get events(): readonly string[] {
    return this.seen.map(({ event_id }) => event_id);
  }
}

async function accountWithEndpoint() {
  const account = await stack.newAccount();
  const { id: endpoint } = await stack.newEndpoint(account, URL_OF_ENDPOINT);
  return { account, endpoint, follower: new Follower(account) };
}

const waitingForLocks = async (count: number): Promise<void> =>
  eventually(async () => {
    const rows = await queryRows(stack.pool, {
      text: `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    });
    expect(rows).toHaveLength(count);
  });

describe("who follows the deliveries of an account by their cursor", () => {
  it("misses none that a slow transaction made first and committed last", async () => {
    const { account, follower } = await accountWithEndpoint();
    const [slow, quick] = [eventOf(account), eventOf(account)];
    const other = await accountWithEndpoint();
    let made: Promise<unknown> = Promise.resolve();
    await inTransaction(stack.pool, async (tx) => {
      await make(tx, [slow]);
      made = make(stack.pool, [quick]);
      await waitingForLocks(1);
      await follower.follow();
      expect(follower.events).toEqual([]);
      await make(stack.pool, [eventOf(other.account)]);
      await other.follower.follow();
      expect(other.follower.events).toHaveLength(1);
    });
    await made;
    await follower.follow();
    expect(follower.events).toEqual([slow.id, quick.id]);
  });

  it("finds that of an event that happened before others and arrives after them", async () => {
    const { account, follower } = await accountWithEndpoint();
    const [late, early] = [eventOf(account), eventOf(account, 10 * MINUTE_MS)];
    await make(stack.pool, [late]);
    await follower.follow();
    await make(stack.pool, [early]);
    await follower.follow();
    expect(follower.events).toEqual([late.id, early.id]);
  });

  it("finds what comes after the database's clock was set back", async () => {
    const { account, follower } = await accountWithEndpoint();
    await make(stack.pool, [eventOf(account)]);
    await queryRows(stack.pool, {
      text: `update webhooks.delivery_times set next_at = date_trunc('milliseconds', now() + interval '2 minutes')
        where account_id = $1`,
      values: [account],
    });
    const events = [eventOf(account), eventOf(account), eventOf(account)];
    for (const event of events) {
      await make(stack.pool, [event]);
      await follower.follow();
    }
    expect(follower.events.slice(1)).toEqual(events.map(({ id }) => id));
  });

  it("finds those of a batch in the order of its events, also more than share a millisecond", async () => {
    const { account, follower } = await accountWithEndpoint();
    const events = Array.from({ length: 20 }, (_, n) => eventOf(account, MINUTE_MS - n));
    await make(stack.pool, events);
    await follower.follow();
    expect(follower.events).toEqual(events.map(({ id }) => id));
    const times = await queryRows<{ at: Date }>(stack.pool, {
      text: `select t.at from generate_series(1, 2) n cross join lateral
        webhooks.next_delivery_times(array[$1]::uuid[], array[5000 + 0 * n]) t`,
      values: [account],
    });
    const [first, second] = times.map(({ at }) => at.getTime());
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(2);
  });

  it("misses none where events, tests, a recovery and republished ones are made at once", async () => {
    const { account, endpoint, follower } = await accountWithEndpoint();
    const { url } = await startWebhookApi(stack, { allowCidrs: [], allowHttp: false });
    const post = async (path: string, body?: Readonly<Record<string, unknown>>) => {
      const request = { method: "POST", key: account, ...(body === undefined ? {} : { body }) };
      return (await call(`${url}/v2/${path}`, request)).body;
    };
    const past = Array.from({ length: 40 }, (_, n) => eventOf(account, MINUTE_MS + n));
    await make(stack.pool, past);
    const since = new Date(Date.now() - 2 * MINUTE_MS).toISOString();
    const recovery = await post(`webhook_endpoints/${endpoint}/recover`, { since, mode: "all" });
    const isOver = { now: false };
    const following = (async () => {
      while (!isOver.now) await follower.follow();
    })();
    const rounds = Array.from({ length: 15 }, (_, n) => n);
    const oneAfterAnother = async (work: (n: number) => Promise<unknown>): Promise<void> => {
      for (const n of rounds) await work(n);
    };
    await Promise.all([
      oneAfterAnother((n) => make(stack.pool, [eventOf(account, n * MINUTE_MS)])),
      oneAfterAnother((n) => make(stack.pool, [eventOf(account), eventOf(account, n)])),
      oneAfterAnother(() => post(`webhook_endpoints/${endpoint}/test`)),
      oneAfterAnother((n) => post(`porting/events/${past[n]?.id ?? ""}/republish`)),
      stepRecovery(stack.pool, String(recovery?.["id"]), new Date()),
    ]);
    isOver.now = true;
    await following;
    await follower.follow();
    const [row] = await queryRows<{ made: number }>(stack.pool, {
      text: "select count(*)::integer as made from webhooks.deliveries where account_id = $1",
      values: [account],
    });
    expect(row?.made).toBe(40 + 40 + 15 * 5);
    expect(follower.seen).toHaveLength(row?.made ?? 0);
  });
});
