import { describe, expect, it } from "@jest/globals";
import type { Queryable } from "../../platform/db/transaction.ts";
import { QueueCounts } from "./queue-counts.ts";

const ANN = "01900000-0000-7000-8000-00000000000a";
const AT = { filter: {}, now: new Date() };

/** A queue whose cases nobody has claimed; to count them takes `tookMs` of a clock that the test moves. */
function queue(tookMs: number) {
  const state = { cases: 0, counts: 0, nowMs: 0 };
  const db = {
    query: () => {
      state.counts += 1;
      state.nowMs += tookMs;
      return Promise.resolve({ rows: [{ claimed_by: null, cases: state.cases, overdue: 0 }] });
    },
  } as unknown as Queryable;
  const counts = new QueueCounts(db, () => state.nowMs);
  const all = async (): Promise<number> => (await counts.of(AT, ANN)).all;
  return { state, all };
}

describe("the counts of the queue", () => {
  it("agree at once with a queue that is quick to count", async () => {
    const { state, all } = queue(5);
    expect(await all()).toBe(0);
    state.cases = 1;
    expect(await all()).toBe(1);
  });

  it("are kept for a moment where they are slow to count", async () => {
    const { state, all } = queue(100);
    expect(await all()).toBe(0);
    state.cases = 1;
    expect([await all(), state.counts]).toEqual([0, 1]);
  });

  it("are shared by requests that come together", async () => {
    const { state, all } = queue(5);
    await Promise.all([all(), all(), all()]);
    expect(state.counts).toBe(1);
  });
});
