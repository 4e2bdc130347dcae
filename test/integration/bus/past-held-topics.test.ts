/** @tier all */
import { beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { Pool, PoolClient, QueryConfig } from "pg";
import {
  PastHeldFetcher,
  type PastHeldRange,
} from "../../../services/outbox-relay/relay/past-held.ts";
import {
  createRelayPool,
  fetchPastHeld,
  type Fetched,
} from "../../../services/outbox-relay/relay/store/outbox-rows.ts";
import { queryRows, type Queryable } from "../../../services/platform/db/transaction.ts";
import { createLogger } from "../../../services/platform/logger.ts";
import { eventually } from "../../support/eventually.ts";
import { endAfterTests } from "../../support/lifetime/end-after-tests.ts";
import { openPoolAt } from "../../support/stack/test-pool.ts";
import { createTestDatabase } from "../../support/stack/test-stack.ts";

const [REFUSED, OTHER] = ["refused", "other"];
/** More than two statements look at. */
const BACKLOG = 45_000;
const PAGE = 20_000;

const RANGE: PastHeldRange = {
  shards: [0],
  underWay: [],
  limit: 1_000,
  session: 1,
  refused: [REFUSED],
  held: [REFUSED],
  mayGoOn: () => true,
};

let pool: Pool;
let relayPool: Pool;

beforeAll(async () => {
  const { url } = await createTestDatabase();
  pool = openPoolAt(url, { size: 4 });
  relayPool = createRelayPool({ url, service: "test", log: createLogger("test", "silent") });
  endAfterTests(() => relayPool.end());
});

beforeEach(async () => {
  await pool.query("truncate messaging.outbox, messaging.unsent_messages, messaging.sent_messages");
});

/** Writes messages; returns the id of the last. */
async function write(topic: string, count = 1, db: Queryable = pool): Promise<number> {
  const [row] = await queryRows<{ last: number }>(db, {
    text: `with written as (
        insert into messaging.outbox (message_id, topic, shard)
        select gen_random_uuid(), $1, 0 from generate_series(1, $2::integer) returning id
      ) select max(id) as last from written`,
    values: [topic, count],
  });
  return row?.last ?? -1;
}

/** A transaction that stays open until it is told to commit. */
async function openTransaction() {
  const client = await pool.connect();
  await client.query("begin");
  await client.query("set local idle_in_transaction_session_timeout = 0");
  const commit = endAfterTests(async () => {
    await client.query("commit");
    client.release();
  });
  return { query: client.query.bind(client) as Queryable["query"], commit };
}

const idsOf = ({ rows }: Fetched): number[] => rows.map(({ id }) => id);

/** Fetches until something is found. */
async function find(fetcher: PastHeldFetcher, range: Partial<PastHeldRange> = {}) {
  let ids: number[] = [];
  await eventually(async () => {
    ids = idsOf(await fetcher.fetch({ ...RANGE, ...range }, performance.now()));
    expect(ids).not.toEqual([]);
  });
  return ids;
}

interface Page {
  readonly above: number;
  readonly isInSnapshot: boolean;
}

/** The pool, where something happens after each statement that looks at unsent messages. */
function afterEachPage(happens: (page: Page) => Promise<void> | void): Pool {
  const watching = (db: Queryable, isInSnapshot: boolean) => async (config: QueryConfig) => {
    const result = await db.query(config);
    const above = Number(config.values?.[4]);
    if (config.name === "outbox-fetch-past-held") await happens({ above, isInSnapshot });
    return result;
  };
  const watched = (client: PoolClient) => ({
    query: watching(client, true),
    release: client.release.bind(client),
  });
  return {
    query: watching(relayPool, false),
    connect: async () => watched(await relayPool.connect()),
  } as unknown as Pool;
}

describe("fetching past more rows of a held topic than one statement looks at", () => {
  it("looks at so many in a statement, and says up to where", async () => {
    const last = await write(REFUSED, BACKLOG);
    const id = await write(OTHER);
    const fetchAbove = (above: number) => fetchPastHeld(relayPool, { ...RANGE, above });
    const first = last - BACKLOG + 1;
    expect(await fetchAbove(0)).toMatchObject({
      rows: [],
      full: true,
      examinedTo: first + PAGE - 1,
    });
    const end = await fetchAbove(last - PAGE / 2);
    expect([idsOf(end), end.full, end.examinedTo]).toEqual([[id], false, null]);
    expect(await fetchAbove(id)).toMatchObject({ rows: [], full: false, examinedTo: null });
  });

  it("finds what is behind them, then without looking at them again", async () => {
    const held = await write(REFUSED, BACKLOG);
    const id = await write(OTHER);
    let floor = -1;
    const fetcher = new PastHeldFetcher(
      afterEachPage(({ above }) => {
        floor = above;
      }),
    );
    expect(await find(fetcher)).toEqual([id]);
    expect(floor).toBeLessThan(held);
    await eventually(async () => {
      expect(await find(fetcher)).toEqual([id]);
      expect(floor).toBe(held);
    });
  });

  it("skips no row that becomes visible among them", async () => {
    const fetcher = new PastHeldFetcher(relayPool);
    const open = await openTransaction();
    const late = await write(OTHER, 1, open);
    await write(REFUSED, BACKLOG);
    const early = await write(OTHER);
    expect(await find(fetcher)).toEqual([early]);
    await open.commit();
    expect(await find(fetcher, { underWay: [early] })).toEqual([late]);
  });

  it("finds no row above one that becomes visible meanwhile, so that the order of a key stays", async () => {
    const open = await openTransaction();
    const written = [await write(OTHER, 1, open)];
    await write(REFUSED, BACKLOG);
    const fetcher = new PastHeldFetcher(
      afterEachPage(async ({ isInSnapshot }) => {
        if (!isInSnapshot || written.length > 1) return;
        await open.commit();
        written.push(await write(OTHER));
      }),
    );
    const first = await find(fetcher);
    const second = await find(fetcher, { underWay: first });
    expect([...first, ...second]).toEqual(written);
  });
});
