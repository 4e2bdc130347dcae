import type { Pool, PoolClient } from "pg";
import { queryRows } from "../../../../services/platform/db/transaction.ts";
import { dataOf } from "../../../support/http/call.ts";
import { readEventStream } from "../../../support/http/event-stream-reader.ts";
import type { OwnProduct } from "../../../support/product/product.ts";
import { ask } from "../ask.ts";
import type { Breach } from "../check-history.ts";
import { newAccount } from "../fault-accounts.ts";
import { randomFrom } from "../load.ts";
import { openFaultBus, writeEvents } from "./write-events.ts";

const SHOWN = 5;

export interface FeedRecord {
  readonly accountId: string;
  /** The committed event ids of each order, in sequence. */
  readonly written: ReadonlyMap<string, readonly string[]>;
  readonly paged: readonly string[];
  readonly streamed: readonly string[];
}

/** Compares the log with the committed events, and the readers' events with the log. */
async function checkFeed(
  pool: Pool,
  record: FeedRecord,
): Promise<Readonly<Record<string, readonly Breach[]>>> {
  const rows = await queryRows<{ id: string; seq: number }>(pool, {
    text: "select id, seq from events.log where account_id = $1 order by seq",
    values: [record.accountId],
  });
  const stored = rows.map(({ id }) => id);
  const committed = [...record.written.values()].flat();
  return {
    "the log has every committed event once": compareSets(committed, stored),
    "the feed is numbered without a gap": firstDifference(
      rows.map(({ seq }) => `${seq}`),
      stored.map((_, n) => String(n + 1)),
    ),
    "each order's events are in sequence": outOfOrder(record.written, stored),
    "the paging client has the whole feed": firstDifference(record.paged, stored),
    "the streaming client has the whole feed": firstDifference(record.streamed, stored),
  };
}

function compareSets(expected: readonly string[], found: readonly string[]): Breach[] {
  const [wanted, had] = [new Set(expected), new Set(found)];
  const missing = expected.filter((id) => !had.has(id)).map((id) => `missing: ${id}`);
  const foreign = found.filter((id) => !wanted.has(id)).map((id) => `never committed: ${id}`);
  const repeats = found.length === had.size ? [] : [`${found.length - had.size} repeats`];
  return [...missing.slice(0, SHOWN), ...foreign.slice(0, SHOWN), ...repeats];
}

function firstDifference(found: readonly string[], expected: readonly string[]): Breach[] {
  const at = expected.findIndex((id, n) => found[n] !== id);
  if (at === -1 && found.length === expected.length) return [];
  const place = at === -1 ? expected.length : at;
  return [
    `${found.length} of ${expected.length}; the first difference is at ${place + 1}: ` +
      `${found[place] ?? "nothing"} for ${expected[place] ?? "nothing"}`,
  ];
}

function outOfOrder(
  written: ReadonlyMap<string, readonly string[]>,
  stored: readonly string[],
): Breach[] {
  const places = new Map(stored.map((id, n) => [id, n]));
  return [...written].flatMap(([orderId, ids]) => {
    const at = ids.map((id) => places.get(id) ?? Infinity);
    const ascends = at.every((place, n) => n === 0 || place > (at[n - 1] ?? -1));
    return ascends ? [] : [`order ${orderId}`];
  });
}

export interface FeedClient {
  readonly apiUrl: string;
  readonly key: string;
  /** Ends the reading: everything was seen, or the time is up. */
  readonly isOver: (seen: number) => boolean;
}

const PAGE = 250;
const IDLE_MS = 50;
/** The longest time before the client drops its stream and reconnects. */
const STREAM_MS = 3_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The ids that a client collects by paging forward after those that it knows. */
async function pageForward(
  { apiUrl, key, isOver }: FeedClient,
  known: readonly string[],
): Promise<string[]> {
  const seen = [...known];
  while (!isOver(seen.length)) {
    const last = seen.at(-1);
    const after = last === undefined ? "" : `&starting_after=${last}`;
    const url = `${apiUrl}/v2/porting/events?order=asc&limit=${PAGE}${after}`;
    const answer = await ask(url, { key });
    const page = answer?.status === 200 ? dataOf(answer) : [];
    seen.push(...page.map(({ id }) => String(id)));
    if (page.length < PAGE) await pause(IDLE_MS);
  }
  return seen;
}

/** The ids that a client of the live stream collects over repeated disconnections, and the number of reconnections. */
async function followStream(
  { apiUrl, key, isOver }: FeedClient,
  known: readonly string[],
  random: () => number,
): Promise<{ readonly seen: string[]; readonly reconnects: number }> {
  const seen = [...known];
  let reconnects = -1;
  while (!isOver(seen.length)) {
    reconnects += 1;
    const last = seen.at(-1);
    const headers = last === undefined ? {} : { "Last-Event-ID": last };
    const onEvent = ({ id }: { readonly id: string }): void => {
      seen.push(id);
    };
    const url = `${apiUrl}/v2/porting/events/stream`;
    const reader = await readEventStream(url, { key, headers, onEvent }).catch(() => null);
    if (reader?.status !== 200) {
      await pause(IDLE_MS);
      continue;
    }
    const until = performance.now() + random() * STREAM_MS;
    while (performance.now() < until && !isOver(seen.length)) await pause(IDLE_MS);
    reader.stop();
    await reader.ended;
  }
  return { seen, reconnects };
}

export interface LogRunOptions {
  readonly product: OwnProduct;
  readonly seed: number;
  readonly writers: number;
  readonly events: number;
  /** The longest pause before a commit. */
  readonly pauseMs: number;
  readonly killEveryMs: number;
  /** How long the readers may take after the last commit. */
  readonly catchUpMs: number;
  readonly log: (line: string) => void;
}

export interface LogReport {
  readonly events: number;
  readonly kills: number;
  readonly reconnects: number;
  readonly writtenInS: number;
  readonly seenInS: number;
  readonly breaches: Readonly<Record<string, readonly Breach[]>>;
}

const KILLED = ["event-log", "webhook-sender"] as const;
const READY_MS = 60_000;

/** Many writers, two consumers killed in turn, and two readers that must see exactly the committed events. */
export async function runLogFaults(options: LogRunOptions): Promise<LogReport> {
  const { product, log, events } = options;
  const random = randomFrom(options.seed);
  const bus = await openFaultBus(product, product.topicPrefix, options.writers);
  try {
    const account = await newAccount(product, "faults");
    const plan = {
      ...options,
      pool: bus.pool,
      messages: bus,
      accountId: account.accountId,
      random,
    };
    const client = { apiUrl: product.apiUrl, key: account.key };
    await openConnections(bus.pool, options.writers);
    const first = await writeEvents({ ...plan, writers: 1, events: 1 });
    // A stream without an id starts with new events, so both readers start after a known event.
    const known = await pageForward({ ...client, isOver: (seen) => seen > 0 }, []);

    const startedAt = performance.now();
    const seconds = (): number => (performance.now() - startedAt) / 1_000;
    let deadline = Infinity;
    const isOver = (seen: number): boolean => seen > events || performance.now() > deadline;
    const reader = { ...client, isOver };
    const reading = Promise.all([pageForward(reader, known), followStream(reader, known, random)]);
    const kills = startKills(options);
    const written = new Map(first);
    try {
      for (const [orderId, ids] of await writeEvents(plan)) written.set(orderId, ids);
    } finally {
      await kills.stop();
    }
    const writtenInS = seconds();
    const killed = await kills.stop();
    log(`${events} events are committed`);
    deadline = performance.now() + options.catchUpMs;
    const [paged, { seen: streamed, reconnects }] = await reading;
    const seenInS = seconds();
    log("both readers are done");
    return {
      events: [...written.values()].flat().length - 1,
      kills: killed,
      reconnects,
      writtenInS,
      seenInS,
      breaches: await checkFeed(bus.pool, {
        accountId: account.accountId,
        written,
        paged,
        streamed,
      }),
    };
  } finally {
    await bus.close();
  }
}

/** Opens connections one by one: many at once would time out on a busy machine. */
async function openConnections(pool: Pool, count: number): Promise<void> {
  const opened: PoolClient[] = [];
  try {
    while (opened.length < count) opened.push(await pool.connect());
  } finally {
    for (const one of opened) one.release();
  }
}

/** Kills the two consumers in turn, each once the other is ready again; `stop` returns the number of kills. */
function startKills({ product, killEveryMs }: LogRunOptions): { stop(): Promise<number> } {
  let kills = 0;
  const over = new AbortController();
  const killing = (async () => {
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, killEveryMs));
      if (over.signal.aborted) return;
      const { program } = product.supervisor.service(KILLED[kills % KILLED.length] ?? "event-log");
      program.kill("SIGKILL");
      kills += 1;
      await program.whenReady(READY_MS);
    }
  })();
  return {
    stop: async () => {
      over.abort();
      await killing;
      return kills;
    },
  };
}
