import { beforeAll, describe, expect, it } from "@jest/globals";
import type { Pool } from "pg";
import {
  inTransaction,
  queryRows,
  type Queryable,
} from "../../../services/platform/db/transaction.ts";
import {
  findReply,
  forgetReplies,
  storeReply,
} from "../../../services/platform/idempotency/start-idempotency.ts";
import {
  forgetBuckets,
  takeTokens,
} from "../../../services/platform/rate-limit/start-rate-limits.ts";
import { eventually } from "../../support/eventually.ts";
import { openTestPool } from "../../support/stack/test-pool.ts";

const LONG_AGO = new Date("2020-01-01T00:00:00Z");
const ADDRESS = { owner: "account", key: "key" };

let pool: Pool;

beforeAll(async () => {
  pool = await openTestPool();
});

function keep(db: Queryable, createdAt: Date): Promise<void> {
  return storeReply(db, ADDRESS, {
    fingerprint: Buffer.from("same"),
    status: 201,
    headers: {},
    body: null,
    is_sealed: false,
    created_at: createdAt,
  });
}

/** Commits `write` only when the other statement, started meanwhile, waits for its row. */
async function during(write: (tx: Queryable) => Promise<unknown>, other: () => Promise<unknown>) {
  let waiting: Promise<unknown> = Promise.resolve();
  await inTransaction(pool, async (tx) => {
    await write(tx);
    waiting = other();
    // It is awaited below, also where it fails before that.
    waiting.catch(() => undefined);
    await eventually(async () => {
      // Of this database: the server's locks are those of all tests.
      const blocked = await queryRows(pool, {
        text: "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      });
      expect(blocked).toHaveLength(1);
    });
  });
  await waiting;
}

/** The row was selected by its age before the other's commit, but deleted with its content after it. */
describe("deletion by age", () => {
  it("spares an answer that was stored again under its key meanwhile", async () => {
    await keep(pool, LONG_AGO);
    const now = new Date();
    await during(
      (tx) => keep(tx, now),
      () => forgetReplies(pool, new Date(now.getTime() - 1_000), 10),
    );
    expect(await findReply(pool, ADDRESS, LONG_AGO)).toMatchObject({ status: 201 });
  });

  it("spares a rate-limit bucket that was used meanwhile", async () => {
    const take = (db: Queryable) => takeTokens(db, "account", { perMinute: 1, burst: 10, want: 4 });
    await take(pool);
    await queryRows(pool, {
      text: "update messaging.rate_buckets set filled_at = $1, tokens = 10",
      values: [LONG_AGO],
    });
    const since = new Date(Date.now() - 60_000);
    await during(take, () => forgetBuckets(pool, since, 10));
    const left = { text: "select tokens from messaging.rate_buckets" };
    expect(await queryRows(pool, left)).toEqual([{ tokens: 6 }]);
  });
});
