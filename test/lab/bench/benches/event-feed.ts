import type { Pool } from "pg";
import {
  EVENT,
  eventArrays,
  storeCall,
} from "../../../../services/domain/event/store/store-events.ts";
import { toStorable } from "../../../../services/domain/event/rules/storable-event.ts";
import { arrayParameters } from "../../../../services/platform/db/recordset.ts";
import { createPool } from "../../../../services/platform/db/pool.ts";
import { createLogger } from "../../../../services/platform/logger.ts";
import { call, textOf } from "../../../support/http/call.ts";
import { freshEvent } from "../../../support/orders/event-factory.ts";
import { readEventStream } from "../../../support/http/event-stream-reader.ts";
import { startProductAt, type OwnProduct } from "../../../support/product/product.ts";
import { quantile, type Bench } from "../bench.ts";
import { catchUp } from "../catch-up.ts";
import type { Figure } from "../figure.ts";
import { residentMb } from "../process-use.ts";

const STREAMS_PER_ACCOUNT = 5;
const LIVE_READERS = 100;
const IDLE_READERS = 1_000;
const RATE_PER_S = 50;
const SECONDS = 15;
const WARM_UP_S = 3;
const FEED = 200_000;
const STORE_BATCH = 500;

const STORE = `select ${storeCall(arrayParameters(EVENT, 1))}`;

interface Account {
  readonly id: string;
  readonly key: string;
}

async function newAccounts(product: OwnProduct, count: number): Promise<Account[]> {
  const url = `${product.deskUrl}/desk/v1/accounts`;
  const options = { method: "POST", key: product.deskToken, body: { name: "bench" } };
  return Promise.all(
    Array.from({ length: count }, async () => {
      const made = await call(url, options);
      return { id: textOf(made, "id"), key: textOf(made, "api_key") };
    }),
  );
}

function openStreams(
  product: OwnProduct,
  accounts: readonly Account[],
  onEvent: (id: string) => void,
) {
  const url = `${product.apiUrl}/v2/porting/events/stream`;
  const keys = accounts.flatMap(({ key }) =>
    Array.from({ length: STREAMS_PER_ACCOUNT }, () => key),
  );
  return Promise.all(
    keys.map((key) =>
      readEventStream(url, {
        key,
        onEvent: ({ id }) => {
          onEvent(id);
        },
      }),
    ),
  );
}

async function store(pool: Pool, accountIds: readonly string[]): Promise<string[]> {
  const events = accountIds.map((accountId) => toStorable(freshEvent(accountId)));
  await pool.query({ name: "store", text: STORE, values: eventArrays(events) });
  return events.map(({ id }) => id);
}

/** From the commit of an event to the last byte at each of its account's readers. */
async function measureLive(product: OwnProduct, pool: Pool): Promise<Figure[]> {
  const accounts = await newAccounts(product, LIVE_READERS / STREAMS_PER_ACCOUNT);
  const committedAt = new Map<string, number>();
  const delays: number[] = [];
  const arrivals: { readonly id: string; readonly at: number }[] = [];
  const readers = await openStreams(product, accounts, (id) => {
    arrivals.push({ id, at: performance.now() });
  });
  for (let n = 0; n < RATE_PER_S * SECONDS; n += 1) {
    const { id = "" } = accounts[n % accounts.length] ?? {};
    const [eventId = ""] = await store(pool, [id]);
    if (n > RATE_PER_S * WARM_UP_S) committedAt.set(eventId, performance.now());
    await new Promise((resolve) => setTimeout(resolve, 1_000 / RATE_PER_S));
  }
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  for (const reader of readers) reader.stop();
  for (const { id, at } of arrivals) {
    const committed = committedAt.get(id);
    if (committed !== undefined) delays.push(at - committed);
  }
  const wanted = committedAt.size * STREAMS_PER_ACCOUNT;
  if (delays.length !== wanted) throw new Error(`${delays.length} of ${wanted} events arrived`);
  return [
    {
      name: `live stream, commit → reader at ${RATE_PER_S}/s, ${LIVE_READERS} readers, p50`,
      measured: quantile(delays, 0.5),
      unit: "ms",
      target: { kind: "reported" },
    },
    {
      name: "  p99",
      measured: quantile(delays, 0.99),
      unit: "ms",
      target: { kind: "at_most", accept: 250 },
    },
  ];
}

async function measureIdle(product: OwnProduct): Promise<Figure> {
  const pid = product.supervisor.service("api").program.pid ?? 0;
  const accounts = await newAccounts(product, IDLE_READERS / STREAMS_PER_ACCOUNT);
  const before = residentMb(pid);
  const readers = await openStreams(product, accounts, () => undefined);
  if (readers.some(({ status }) => status !== 200)) throw new Error("a stream was refused");
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const grown = residentMb(pid) - before;
  for (const reader of readers) reader.stop();
  return {
    name: `memory of ${IDLE_READERS} idle readers`,
    measured: grown,
    unit: "MB",
    target: { kind: "at_most", accept: 100 },
  };
}

/** A reader catches up on events that it missed. */
async function measureCatchUp(product: OwnProduct, pool: Pool): Promise<Figure> {
  const [account = { id: "", key: "" }] = await newAccounts(product, 1);
  const batch = Array.from({ length: STORE_BATCH }, () => account.id);
  for (let n = 0; n < FEED; n += STORE_BATCH) await store(pool, batch);
  await pool.query("analyze events.log");
  return catchUp(product, { key: account.key, events: FEED, isWholeFeed: true });
}

/** Readers of events: live, idle, and one catching up. */
export const eventFeed: Bench = {
  name: "event-feed",
  area: "Events and messages",
  once: true,
  run: async (context) => {
    const place = await context.newPlace();
    // All readers come from this machine's address.
    const env = { CONNECTIONS_PER_ADDRESS: "0" };
    const product = await startProductAt(place, { services: ["api", "desk"], env });
    const log = createLogger("bench", "silent");
    const pool = createPool({ url: place.databaseUrl, service: "bench", size: 2, log });
    try {
      const live = await measureLive(product, pool);
      const idle = await measureIdle(product);
      return [...live, idle, await measureCatchUp(product, pool)];
    } finally {
      await pool.end();
      await product.stop();
    }
  },
};
