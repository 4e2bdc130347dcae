/** @tier all */
import { beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { PoolClient } from "pg";
import {
  reconcileStep,
  type Expectations,
} from "../../../services/outbox-relay/reconcile/store/reconcile-step.ts";
import { outboxGauges } from "../../../services/outbox-relay/relay/outbox-metrics.ts";
import { createRelayPool } from "../../../services/outbox-relay/relay/relay-database.ts";
import type { DividedPool } from "../../../services/platform/db/pool.ts";
import { createLogger } from "../../../services/platform/logger.ts";
import { createMetrics } from "../../../services/platform/metrics.ts";
import { readPlan, type ReadPlan } from "../../support/stack/read-plan.ts";
import { endAfterTests } from "../../support/lifetime/end-after-tests.ts";
import { openPoolAt } from "../../support/stack/test-pool.ts";
import { createTestDatabase } from "../../support/stack/test-stack.ts";

const FIRST = 500;
const SENT = 30_000;
const UNSENT = 20;
/** As many rows as a step looks at in one go. */
const STEP = 2_000;
const BOTH = ["outbox", "sent_messages"];
const EXPECTED: Expectations = { topics: ["topic"], consumers: ["one"], logged: [false] };

let pool: DividedPool;
let relayPool: DividedPool;

beforeAll(async () => {
  const { url } = await createTestDatabase();
  pool = openPoolAt(url);
  const log = createLogger("test", "silent");
  relayPool = createRelayPool({ url, service: "test", log });
  endAfterTests(() => relayPool.end());
});

beforeEach(async () => {
  await pool.query(
    `truncate messaging.outbox, messaging.sent_messages, messaging.deferred_topics, messaging.consumer_positions`,
  );
  await pool.query("select setval('messaging.outbox_id', 1, false)");
});

async function write(rows: number): Promise<void> {
  await pool.query(
    `insert into messaging.outbox (message_id, topic, created_at)
      select gen_random_uuid(), 'topic', now() - interval '1 s' from generate_series(1, $1::integer) n`,
    [rows],
  );
}

async function markAll(): Promise<void> {
  await pool.query(
    `with sent as (
      insert into messaging.sent_messages (id, day, kafka_partition, kafka_offset)
      select id, day, 0, id from messaging.outbox_progress where waits
    )
    update messaging.relay_state set handled_id = (select max(id) from messaging.outbox)`,
  );
}

const ANALYZE = "analyze messaging.outbox, messaging.sent_messages";

/** A day's outbox, while a connection keeps the plans that it made when there was little in it. */
async function withOldPlans<T>(
  { look, hasStatistics }: Looked & Statistics,
  then: (db: PoolClient) => Promise<T>,
): Promise<T> {
  await write(FIRST);
  if (hasStatistics) await pool.query(ANALYZE);
  const client = await relayPool.connect();
  try {
    await look(client);
    await markAll();
    await write(SENT);
    await markAll();
    await write(UNSENT);
    return await then(client);
  } finally {
    client.release(true);
  }
}

interface Statistics {
  /** Of the outbox as it was when the plan was made; otherwise there are none yet. */
  readonly hasStatistics: boolean;
}

interface Looked {
  /** The statement, prepared. */
  readonly look: (db: PoolClient) => Promise<unknown>;
  /** Its name with the values of its parameters. */
  readonly execution: string;
}

/** What an old plan of the statement reads of the tables whose names begin as given. */
async function readsOf(looked: Looked & Statistics, ...tables: string[]): Promise<ReadPlan[]> {
  return withOldPlans(looked, async (db) => {
    const { rows } = await db.query(`explain (analyze, format json) execute ${looked.execution}`);
    return tables.map((table) => readPlan(rows[0], table));
  });
}

const measuring: Looked = {
  look: (db) => outboxGauges(db, createMetrics("test"), "")(),
  execution: `"outbox-measure"`,
};
/** Of which both are lost: what a consumer has passed, and what the topic does not have any more. */
const reconciling = (end: number): Looked => {
  const known = { askedAt: new Date("2100-01-01"), ends: { topic: [end] } };
  return {
    look: (db) => reconcileStep(db, EXPECTED, { from: 0, rows: STEP, afterMs: 0, known }),
    execution: `"reconcile-step" ('{topic}', '{one}', '{f}', 1, ${STEP}, 0, '${JSON.stringify(known)}')`,
  };
};

describe.each([
  ["with statistics", { hasStatistics: true }],
  ["without statistics", { hasStatistics: false }],
])("the relay, by plans that it made when the outbox was nearly empty, %s,", (_, statistics) => {
  it("measures what waits, and nothing that was sent", async () => {
    const [outbox] = await readsOf({ ...measuring, ...statistics }, "outbox");
    expect(outbox?.rowsRead).toBe(UNSENT + 1);
  });

  it("makes unsent again what is lost of one step, each found by its key", async () => {
    await pool.query(
      "insert into messaging.consumer_positions values ('one', 'topic', 0, 1000000)",
    );
    const [outbox, sent] = await readsOf({ ...reconciling(1_000_000), ...statistics }, ...BOTH);
    expect([outbox?.rowsRead, sent?.rowsRead]).toEqual([STEP, 2 * STEP]);
  });

  it("does the same with a step of a topic that was recreated", async () => {
    const [outbox, sent] = await readsOf({ ...reconciling(0), ...statistics }, ...BOTH);
    expect([outbox?.rowsRead, sent?.rowsRead]).toEqual([STEP, 2 * STEP]);
  });
});
