import type { Pool, PoolClient } from "pg";
import type { OwnProduct } from "../../../support/product/product.ts";
import { randomFrom } from "../random.ts";
import type { Breach } from "../check-history.ts";
import { newAccount } from "../fault-accounts.ts";
import { openFaultBus } from "../open-fault-bus.ts";
import { checkFeed } from "./check-feed.ts";
import { followStream, pageForward } from "./read-feed.ts";
import { writeEvents } from "./write-events.ts";

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
