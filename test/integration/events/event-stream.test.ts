import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import type { Pool } from "pg";
import { storeEvents } from "../../../services/domain/event/store/store-events.ts";
import { toStorable } from "../../../services/domain/event/rules/storable-event.ts";
import { newId } from "../../../services/platform/ids.ts";
import { call, dataOf, textOf } from "../../support/http/call.ts";
import { buildEvent } from "../../support/orders/event-factory.ts";
import { readEventStream, type EventStreamReader } from "../../support/http/event-stream-reader.ts";
import { eventually } from "../../support/eventually.ts";
import type { Product } from "../../support/product/product.ts";
import { startProduct } from "../../support/product/shared-products.ts";
import { openPoolAt } from "../../support/stack/test-pool.ts";

const PATH = "/v2/porting/events";
const UNKNOWN_ID = "01890000-0000-7000-8000-000000000000";

interface Account {
  readonly id: string;
  readonly key: string;
}

let product: Product;
let pool: Pool;
const readers: EventStreamReader[] = [];

beforeAll(async () => {
  product = await startProduct();
  pool = openPoolAt(product.databaseUrl, { size: 8 });
});

afterEach(() => {
  for (const reader of readers.splice(0)) reader.stop();
});

async function newAccount(): Promise<Account> {
  const url = `${product.deskUrl}/desk/v1/accounts`;
  const made = await call(url, {
    method: "POST",
    key: product.deskToken,
    body: { name: "reader" },
  });
  return { id: textOf(made, "id"), key: textOf(made, "api_key") };
}

/** Stores events in the log as event-log does, and returns their ids. */
async function store(accountId: string, count: number): Promise<string[]> {
  const at = new Date();
  const events = Array.from({ length: count }, () =>
    toStorable(
      buildEvent("porting_order.created", { id: newId(at), account_id: accountId, created_at: at }),
    ),
  );
  await storeEvents(pool, events, { consumer: "event-log", positions: [] });
  return events.map(({ id }) => id);
}

async function open(
  { key }: Account,
  resume: { readonly query?: string; readonly header?: string } = {},
): Promise<EventStreamReader> {
  const headers = resume.header === undefined ? {} : { "Last-Event-ID": resume.header };
  const query = resume.query === undefined ? "" : `?starting_after=${resume.query}`;
  const reader = await readEventStream(`${product.apiUrl}${PATH}/stream${query}`, { key, headers });
  readers.push(reader);
  return reader;
}

const idsOf = (reader: EventStreamReader): string[] => reader.events.map(({ id }) => id);

describe("the live stream of events", () => {
  it("shows new events as the list shows them, and none of another account", async () => {
    const [account, other] = await Promise.all([newAccount(), newAccount()]);
    await store(account.id, 2);
    const reader = await open(account);
    await store(other.id, 1);
    const ids = await store(account.id, 3);
    await eventually(() => expect(idsOf(reader)).toEqual(ids));
    const listed = dataOf(
      await call(
        `${product.apiUrl}${PATH}?limit=3&order=asc&starting_after=${idsOf(reader)[0] ?? ""}`,
        { key: account.key },
      ),
    );
    expect(reader.events.slice(1).map(({ data }) => data)).toEqual(listed);
    expect(reader.events.map(({ type }) => type)).toEqual(ids.map(() => "porting_order.created"));
  });

  it("continues after the event that the reader names, where the header takes precedence over the URL", async () => {
    const account = await newAccount();
    const ids = await store(account.id, 450);
    const byUrl = await open(account, { query: ids[9] ?? "" });
    await eventually(() => expect(idsOf(byUrl)).toEqual(ids.slice(10)));
    const byHeader = await open(account, { query: ids[9] ?? "", header: ids[400] ?? "" });
    const more = await store(account.id, 1);
    await eventually(() => expect(idsOf(byHeader)).toEqual([...ids.slice(401), ...more]));
  });

  it("refuses to continue after an event that the account does not have", async () => {
    const [account, other] = await Promise.all([newAccount(), newAccount()]);
    const [foreign = ""] = await store(other.id, 1);
    const statuses = await Promise.all(
      [{ query: UNKNOWN_ID }, { query: foreign }, { header: foreign }, { header: "x" }].map(
        async (resume) => (await open(account, resume)).status,
      ),
    );
    expect(statuses).toEqual([400, 400, 400, 400]);
  });

  it("loses and repeats nothing for a reader whose connection breaks repeatedly", async () => {
    const account = await newAccount();
    const [first = ""] = await store(account.id, 1);
    const stored: string[] = [];
    const writers = Promise.all(
      Array.from({ length: 6 }, async () => {
        for (let n = 0; n < 25; n += 1) stored.push(...(await store(account.id, 1 + (n % 4))));
      }),
    );
    const seen: string[] = [];
    const state = { isOver: false };
    const following = (async () => {
      for (let last = first; !state.isOver; last = seen.at(-1) ?? last) {
        const reader = await open(account, { header: last });
        await eventually(() => {
          expect(state.isOver || reader.events.length > 7).toBe(true);
        });
        reader.stop();
        await reader.ended;
        seen.push(...idsOf(reader));
      }
    })();
    await writers;
    state.isOver = true;
    await following;
    const rest = await open(account, { header: seen.at(-1) ?? first });
    await eventually(() => {
      expect(new Set([...seen, ...idsOf(rest)])).toEqual(new Set(stored));
    });
    const all = [...seen, ...idsOf(rest)];
    expect(all).toHaveLength(stored.length);
    const { rows } = await pool.query<{ id: string }>(
      "select id from events.log where account_id = $1 and id <> $2 order by seq",
      [account.id, first],
    );
    expect(all).toEqual(rows.map(({ id }) => id));
  });

  it("allows an account five streams, and another when one has ended", async () => {
    const account = await newAccount();
    const open5 = await Promise.all([1, 2, 3, 4, 5].map(() => open(account)));
    expect(open5.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect((await open(account)).status).toBe(429);
    open5[0]?.stop();
    await eventually(async () => expect((await open(account)).status).toBe(200));
  });

  it("ends when its key is revoked or its account suspended", async () => {
    const [revoked, suspended] = await Promise.all([newAccount(), newAccount()]);
    const url = `${product.apiUrl}/v2/api_keys`;
    const second = await call(url, { method: "POST", key: revoked.key, body: {} });
    const readers = await Promise.all([
      open({ ...revoked, key: textOf(second, "key") }),
      open(suspended),
    ]);
    await call(`${url}/${textOf(second, "id")}`, { method: "DELETE", key: revoked.key });
    await call(`${product.deskUrl}/desk/v1/accounts/${suspended.id}/suspend`, {
      method: "POST",
      key: product.deskToken,
      body: { reason: "unpaid" },
    });
    await Promise.all(readers.map((reader) => reader.ended));
    expect(readers.map(({ status }) => status)).toEqual([200, 200]);
  });
});
