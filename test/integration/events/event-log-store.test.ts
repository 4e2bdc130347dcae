import { beforeAll, describe, expect, it } from "@jest/globals";
import type pg from "pg";
import {
  findEvent,
  listEvents,
  type EventFilter,
} from "../../../services/domain/event/store/feed.ts";
import {
  isPartitionMissing,
  makeLogPartitions,
  storeEvents,
} from "../../../services/domain/event/store/store-events.ts";
import {
  toStorable,
  type StorableEvent,
} from "../../../services/domain/event/rules/storable-event.ts";
import { inTransaction, queryRows } from "../../../services/platform/db/transaction.ts";
import type { Keyset } from "../../../services/platform/http/paging.ts";
import { newId } from "../../../services/platform/ids.ts";
import { buildEvent, freshEvent } from "../../support/orders/event-factory.ts";
import { createTestDatabase, type TestDatabase } from "../../support/stack/test-stack.ts";
import { openPoolAt } from "../../support/stack/test-pool.ts";

let database: TestDatabase;
let pool: pg.Pool;
let offset = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = openPoolAt(database.url, { size: 12 });
});

function store(events: readonly StorableEvent[], consumer = "event-log"): Promise<number> {
  offset += events.length;
  const position = { topic: "porting.events", partition: 0, nextOffset: offset };
  return storeEvents(pool, events, { consumer, positions: [position] });
}

function eventsOf(accountId: string, count: number): StorableEvent[] {
  return Array.from({ length: count }, () => toStorable(freshEvent(accountId)));
}

async function idsOf(accountId: string, scan: Partial<Keyset> = {}, filter: EventFilter = {}) {
  const whole = { direction: "asc", comparison: ">", cursorId: null, fetch: 1_000 } as const;
  const asked = { ...whole, ...scan };
  // A store is asked for one row more than the page has.
  const list = { accountId, scan: { ...asked, fetch: asked.fetch + 1 }, filter };
  const found = await listEvents(pool, list);
  return found?.rows.map(({ id }) => id) ?? null;
}

async function numbersOf(accountId: string): Promise<number[]> {
  const rows = await queryRows<{ seq: number }>(pool, {
    text: "select seq from events.log where account_id = $1 order by seq",
    values: [accountId],
  });
  return rows.map(({ seq }) => seq);
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n + 1);

describe("the event log", () => {
  it("stores an event once, numbers it without gaps and stores the consumer position with it", async () => {
    const accountId = newId(new Date());
    const events = eventsOf(accountId, 5);
    expect(await store(events.slice(0, 3))).toBe(3);
    expect(await store([...events, ...events])).toBe(5 - 3);
    expect(await store(events)).toBe(0);
    expect(await numbersOf(accountId)).toEqual(upTo(5));
    expect(await idsOf(accountId)).toEqual(events.map(({ id }) => id));
    const [position] = await queryRows<{ next_offset: number }>(pool, {
      text: "select next_offset from messaging.consumer_positions where consumer = 'event-log'",
    });
    expect(position?.next_offset).toBe(offset);
  });

  it("returns exactly the stored bytes", async () => {
    const accountId = newId(new Date());
    const [event] = eventsOf(accountId, 1);
    if (event === undefined) throw new Error("no event");
    await store([event]);
    const found = await findEvent(pool, accountId, event.id);
    expect(found?.body.equals(event.body)).toBe(true);
    expect(await findEvent(pool, newId(new Date()), event.id)).toBeNull();
    expect(await findEvent(pool, accountId, "ffffffff-ffff-ffff-ffff-ffffffffffff")).toBeNull();
  });

  it.each([
    ["update", "update events.log set seq = seq + 1"],
    ["delete", "delete from events.log"],
    ["truncate", "truncate events.log"],
    ["truncate a partition of", "truncate events.%PARTITION%"],
    ["update, as a replica, in", "update events.%PARTITION% set seq = 1"],
  ])("does not let anyone %s it", async (_, statement) => {
    await store(eventsOf(newId(new Date()), 1));
    const month = new Date().toISOString().slice(0, 7).replace("-", "");
    const text = statement.replace("%PARTITION%", `log_${month}`);
    const change = inTransaction(pool, async (tx) => {
      await tx.query({ text: "set local session_replication_role = replica" });
      await tx.query({ text });
    });
    await expect(change).rejects.toThrow("the event log is append-only");
  });

  it("creates a missing partition for a month", async () => {
    const at = new Date("2031-05-31T23:59:59.999Z");
    const accountId = newId(at);
    const event = toStorable(freshEvent(accountId, at));
    const refusal: unknown = await store([event]).catch((error: unknown) => error);
    expect(isPartitionMissing(refusal)).toBe(true);
    expect(await makeLogPartitions(pool, at, at)).toBe(1);
    expect(await makeLogPartitions(pool, at, at)).toBe(0);
    expect(await store([event])).toBe(1);
    await expect(pool.query("truncate events.log_203105")).rejects.toThrow("append-only");
  });
});

describe("the log's partitions", () => {
  async function partitionOf({ id }: StorableEvent): Promise<string | undefined> {
    const [row] = await queryRows<{ name: string }>(pool, {
      text: "select tableoid::regclass::text as name from events.log where id = $1",
      values: [id],
    });
    return row?.name;
  }

  it("are created three months ahead across a new year, whatever the session's time zone", async () => {
    const last = new Date("2035-12-31T23:59:59.999Z");
    const first = new Date("2036-01-01T00:00:00.000Z");
    const events = [last, first].map((at) => toStorable(freshEvent(newId(at), at)));
    await inTransaction(pool, async (tx) => {
      await tx.query({ text: "set local timezone = 'Pacific/Kiritimati'" });
      // December and the four months within the next 93 days.
      expect(await makeLogPartitions(tx, last)).toBe(5);
    });
    expect(await store(events)).toBe(2);
    expect(await Promise.all(events.map(partitionOf))).toEqual([
      "events.log_203512",
      "events.log_203601",
    ]);
  });

  it("are created once when many processes create them at once", async () => {
    const at = new Date("2037-06-15T00:00:00.000Z");
    const made = await Promise.all(upTo(8).map(() => makeLogPartitions(pool, at, at)));
    expect(made.toSorted()).toEqual([0, 0, 0, 0, 0, 0, 0, 1]);
  });

  it("refuse changes in every session, including a replica's", async () => {
    await makeLogPartitions(pool, new Date("2038-01-01T00:00:00.000Z"));
    const rows = await queryRows<{ triggers: string }>(pool, {
      text: `select string_agg(t.tgname || ' ' || t.tgenabled::text, ', ' order by t.tgname) as triggers
        from (select 'events.log'::regclass as table_oid
          union all select inhrelid from pg_inherits where inhparent = 'events.log'::regclass) p
        left join pg_trigger t on t.tgrelid = p.table_oid and not t.tgisinternal
        group by p.table_oid`,
    });
    expect(rows.length).toBeGreaterThan(5);
    expect(new Set(rows.map((row) => row.triggers))).toEqual(
      new Set(["log_rows A, log_truncate A"]),
    );
  });
});

describe("a page of the feed", () => {
  const accountId = newId(new Date());
  const early = new Date(Date.now() - 86_400_000);
  const envelope = (at: Date) => ({ id: newId(at), account_id: accountId, created_at: at });
  const created = toStorable(buildEvent("porting_order.created", envelope(early)));
  const missed = toStorable(buildEvent("call.missed", envelope(new Date())));
  const signed = toStorable(buildEvent("loa.signed", envelope(new Date())));
  const portOut = toStorable(buildEvent("port_out.created", envelope(new Date())));
  const all = [created, missed, signed, portOut].map(({ id }) => id);

  beforeAll(() => store([created, missed, signed, portOut]));

  it("ends at a mebibyte of bodies, and a client that goes on has every event once", async () => {
    const reader = newId(new Date());
    const large = eventsOf(reader, 30).map((event) => ({
      ...event,
      body: Buffer.alloc(100_000, 32),
    }));
    await store(large);
    const scan = { direction: "asc", comparison: ">", fetch: 251 } as const;
    const found: string[] = [];
    const sizes: number[] = [];
    for (let cursorId: string | null = null, hasMore = true; hasMore;) {
      const page = await listEvents(pool, {
        accountId: reader,
        scan: { ...scan, cursorId },
        filter: {},
      });
      found.push(...(page?.rows ?? []).map(({ id }) => id));
      sizes.push(page?.rows.length ?? 0);
      cursorId = found.at(-1) ?? null;
      hasMore = page?.hasMore ?? false;
    }
    expect(sizes).toEqual([11, 11, 8]);
    expect(found).toEqual(large.map(({ id }) => id));
  });

  it("goes in both directions from a cursor", async () => {
    expect(await idsOf(accountId)).toEqual(all);
    expect(await idsOf(accountId, { direction: "desc", comparison: "<", fetch: 2 })).toEqual([
      portOut.id,
      signed.id,
    ]);
    expect(await idsOf(accountId, { cursorId: missed.id })).toEqual([signed.id, portOut.id]);
    const before = { direction: "desc", comparison: "<", cursorId: signed.id } as const;
    expect(await idsOf(accountId, before)).toEqual([missed.id, created.id]);
    expect(await idsOf(accountId, { cursorId: portOut.id })).toEqual([]);
  });

  it("is null when the account has no event with the cursor's id", async () => {
    const other = eventsOf(newId(new Date()), 1);
    await store(other);
    expect(await idsOf(accountId, { cursorId: other[0]?.id ?? null })).toBeNull();
    expect(await idsOf(accountId, { cursorId: newId(new Date()) })).toBeNull();
  });

  it("has only matching events", async () => {
    const order = { porting_order_id: created.orderId ?? "" };
    expect(await idsOf(accountId, {}, { type: ["loa.signed", "call.missed"] })).toEqual([
      missed.id,
      signed.id,
    ]);
    expect(await idsOf(accountId, {}, order)).toEqual([created.id, missed.id, signed.id]);
    expect(await idsOf(accountId, {}, { ...order, type: ["loa.signed"] })).toEqual([signed.id]);
    expect(await idsOf(accountId, {}, { created_after: early, created_before: early })).toEqual([]);
    const within = { created_after: early, created_before: new Date(early.getTime() + 1) };
    expect(await idsOf(accountId, {}, within)).toEqual([created.id]);
    expect(await idsOf(accountId, {}, { type: ["porting_order.foc_date_changed"] })).toEqual([]);
  });

  it("accepts a cursor that does not match the filter", async () => {
    const filter = { type: ["loa.signed", "port_out.created"] } as const;
    expect(await idsOf(accountId, { cursorId: missed.id }, filter)).toEqual([
      signed.id,
      portOut.id,
    ]);
  });
});

describe("the feed under many writers", () => {
  const ACCOUNTS = upTo(3).map(() => newId(new Date()));
  const WRITERS = 32;
  const BATCHES = 6;

  /** The batches of one writer, over all accounts and partly the same as its neighbour's. */
  function batchesOf(): StorableEvent[][] {
    return upTo(BATCHES).map(() => ACCOUNTS.flatMap((accountId) => eventsOf(accountId, 2)));
  }

  async function write(batches: readonly StorableEvent[][], consumer: string): Promise<void> {
    for (const batch of batches) {
      await inTransaction(pool, async (tx) => {
        offset += 1;
        const position = { topic: "porting.events", partition: 1, nextOffset: offset };
        await storeEvents(tx, batch, { consumer, positions: [position] });
        await tx.query({ text: "select pg_sleep(random() * 0.01)" });
      });
    }
  }

  /** Pages forward until all written events have been seen; `order` has their ids as the client got them. */
  async function follow(accountId: string, expected: number): Promise<string[]> {
    const seen: string[] = [];
    const deadline = Date.now() + 30_000;
    while (seen.length < expected && Date.now() < deadline) {
      const page = await idsOf(accountId, { cursorId: seen.at(-1) ?? null, fetch: 7 });
      seen.push(...(page ?? []));
      if (page?.length === 0) await pool.query("select pg_sleep(0.002)");
    }
    return seen;
  }

  it("gives a reader who pages forward exactly the written events, in one order, without repeats", async () => {
    const written = upTo(WRITERS).map(batchesOf);
    // Each batch is stored twice concurrently, as event-log and webhook-sender do.
    const writers = written.flatMap((batches, n) => [
      write(batches, `event-log-${n}`),
      write(batches, `webhook-sender-${n}`),
    ]);
    const total = WRITERS * BATCHES * 2;
    const readers = ACCOUNTS.map((accountId) => follow(accountId, total));
    await Promise.all(writers);
    const feeds = await Promise.all(readers);
    for (const [n, accountId] of ACCOUNTS.entries()) {
      expect(feeds[n]).toEqual(await idsOf(accountId));
      expect(new Set(feeds[n]).size).toBe(total);
      expect(await numbersOf(accountId)).toEqual(upTo(total));
    }
  });
});
