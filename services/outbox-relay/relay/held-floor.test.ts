import { describe, expect, it } from "@jest/globals";
import type { Queryable } from "../../platform/db/transaction.ts";
import { HeldFloor, type HeldRange } from "./held-floor.ts";
import type { Fetched, OutboxRow } from "./store/outbox-rows.ts";

const RANGE: HeldRange = { held: ["refused"], refusals: 1, shards: [0, 1] };

/** A database without open transactions, in which the given id is the highest drawn. */
function openDatabase() {
  const state = { highest: 0, transaction: 1, looks: 0 };
  const db = {
    query: () => {
      state.looks += 1;
      state.transaction += 1;
      const { highest, transaction } = state;
      const row = { highest, oldest_transaction: transaction, next_transaction: transaction };
      return Promise.resolve({ rows: [{ ...row, low_id: 0 }] });
    },
  } as unknown as Queryable;
  return { db, state };
}

const fetched = (ids: readonly number[], full = false): Fetched => ({
  rows: ids.map((id) => ({ id }) as OutboxRow),
  full,
});

/** A floor that knows that every row up to the given id is visible. */
async function openFloor(highest: number) {
  const { db, state } = openDatabase();
  const floor = new HeldFloor();
  state.highest = highest;
  await floor.of(db, RANGE, 0);
  await floor.of(db, RANGE, 1_000);
  return { floor, state, at: (range: HeldRange, nowMs = 1_001) => floor.of(db, range, nowMs) };
}

describe("the floor of the rows of held topics", () => {
  it("does not ask the database while no topic is held", async () => {
    const { db, state } = openDatabase();
    const floor = new HeldFloor();
    expect(await floor.of(db, { ...RANGE, held: [] }, 0)).toBe(0);
    floor.fetched(fetched([]), []);
    expect(await floor.of(db, { ...RANGE, held: [] }, 5_000)).toBe(0);
    expect(state.looks).toBe(0);
  });

  it("is below every row that was fetched, is under way or may still appear", async () => {
    const { floor, at } = await openFloor(100);
    floor.fetched(fetched([]), []);
    expect(await at(RANGE)).toBe(100);
    const other = await openFloor(100);
    other.floor.fetched(fetched([70, 80]), [60, 90]);
    expect(await other.at(RANGE)).toBe(59);
  });

  it("does not move where the fetch may have found more", async () => {
    const { floor, at } = await openFloor(100);
    floor.fetched(fetched([40], true), []);
    expect(await at(RANGE)).toBe(0);
  });

  it("never falls while the same is held", async () => {
    const { floor, at } = await openFloor(100);
    floor.fetched(fetched([]), []);
    floor.fetched(fetched([50]), []);
    expect(await at(RANGE)).toBe(100);
  });

  it.each([
    ["a hold has ended", { ...RANGE, held: [] }],
    ["a topic was refused again", { ...RANGE, refusals: 2 }],
    ["other shards are held", { ...RANGE, shards: [0] }],
  ])("is gone once %s", async (_, range) => {
    const { floor, at } = await openFloor(100);
    floor.fetched(fetched([]), []);
    expect(await at(range)).toBe(0);
    expect(await at(RANGE)).toBe(0);
  });

  it("looks at the database once a second", async () => {
    const { state, at } = await openFloor(100);
    await at(RANGE, 1_500);
    await at(RANGE, 1_999);
    expect(state.looks).toBe(2);
    await at(RANGE, 2_000);
    expect(state.looks).toBe(3);
  });
});
