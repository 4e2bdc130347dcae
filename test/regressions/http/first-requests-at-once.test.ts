import { expect, it } from "@jest/globals";
import { inTransaction } from "../../../services/platform/db/transaction.ts";
import { takeTokens } from "../../../services/platform/rate-limit/start-rate-limits.ts";
import { eventually } from "../../support/eventually.ts";
import { openTestPool } from "../../support/stack/test-pool.ts";

/** A token an hour: none comes back during the test. */
const LIMIT = { perMinute: 1 / 60, burst: 20 };
const BLOCKED = `select from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`;

// Processes that saw an account for the first time at once each took out of a full bucket, of which only one was counted.
it("counts what each of several processes takes out of a bucket that they make at once", async () => {
  const pool = await openTestPool();
  const request = { ...LIMIT, want: 15 };
  let other = Promise.resolve({ granted: 0, left: 0 });
  const one = await inTransaction(pool, async (tx) => {
    const lease = await takeTokens(tx, "account:new", request);
    other = takeTokens(pool, "account:new", request);
    await eventually(async () => expect((await pool.query(BLOCKED)).rowCount).toBe(1));
    return lease;
  });
  expect([one.granted, (await other).granted]).toEqual([15, 15]);
  const next = await takeTokens(pool, "account:new", request);
  expect(next.granted).toBe(0);
  // 20 less 30: what was too much is waited for.
  expect(next.left).toBeCloseTo(-10, 1);
});
