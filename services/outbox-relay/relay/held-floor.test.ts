import { describe, expect, it } from "@jest/globals";
import type { Queryable } from "../../platform/db/transaction.ts";
import { HeldFloor, type Examined } from "./held-floor.ts";
import type { OutboxRow } from "./store/outbox-rows.ts";

const HELD: Examined = { refused: ["refused"], held: ["refused"], underWay: [] };

/** A database in which the given id is the highest drawn, and a transaction stays open where one is told. */
function openDatabase(highest: number) {
  const state = { highest, looks: 0, openSince: Infinity };
  const db = {
    query: () => {
      state.looks += 1;
      const next_transaction = state.looks;
      const oldest_transaction = Math.min(state.openSince, next_transaction);
      const row = { highest: state.highest, oldest_transaction, next_transaction, low_id: 0 };
      return Promise.resolve({ rows: [row] });
    },
  } as unknown as Queryable;
  return { db, state };
}

const found = (ids: readonly number[], examinedTo: number | null = null) => ({
  rows: ids.map((id) => ({ id }) as OutboxRow),
  examinedTo,
});

/** A floor that knows that every row up to the given id is visible. */
async function openFloor(highest: number) {
  const { db, state } = openDatabase(highest);
  const floor = new HeldFloor();
  await floor.look(db, 0);
  await floor.look(db, 0);
  return { floor, state, look: (nowMs: number) => floor.look(db, nowMs) };
}

describe("the floor of the rows of held topics", () => {
  it("is below every row that was found, is under way or may still appear", async () => {
    const { floor } = await openFloor(100);
    floor.examined(found([]), HELD);
    expect(floor.of(HELD)).toBe(100);
    const other = await openFloor(100);
    other.floor.examined(found([70, 80]), { ...HELD, underWay: [60, 90] });
    expect(other.floor.of(HELD)).toBe(59);
  });

  it("rises to where a fetch has looked that found nothing, and not above", async () => {
    const { floor } = await openFloor(100);
    floor.examined(found([], 40), HELD);
    expect(floor.of(HELD)).toBe(40);
    floor.examined(found([], 160), HELD);
    expect(floor.of(HELD)).toBe(100);
  });

  it("does not rise where a row may still appear", async () => {
    const { db, state } = openDatabase(100);
    state.openSince = 1;
    const floor = new HeldFloor();
    for (let look = 0; look < 3; look += 1) await floor.look(db, 0);
    floor.examined(found([]), HELD);
    expect(floor.of(HELD)).toBe(0);
  });

  it("never falls while the same is refused, also where it is tried and refused again", async () => {
    const { floor } = await openFloor(100);
    floor.examined(found([]), HELD);
    floor.examined(found([50]), HELD);
    expect(floor.of({ refused: ["refused"], held: [] })).toBe(0);
    expect(floor.of(HELD)).toBe(100);
  });

  it("is lowered to a topic's own rows while it is tried, and once it is accepted", async () => {
    const { floor } = await openFloor(100);
    const both = { refused: ["refused", "other"], held: ["refused", "other"] };
    floor.examined(found([]), { ...HELD, ...both });
    const tried = { ...both, held: ["other"] };
    expect(floor.of(tried)).toBe(0);
    floor.examined(found([30, 31]), { ...HELD, ...tried });
    expect([floor.of(tried), floor.of(both)]).toEqual([29, 100]);
    const accepted = { refused: ["other"], held: ["other"] };
    expect([floor.of(accepted), floor.of(both)]).toEqual([29, 29]);
  });

  it("is, of a topic that is refused only now, that of all others until then", async () => {
    const { floor } = await openFloor(100);
    floor.examined(found([]), HELD);
    const later = { refused: ["refused", "later"], held: ["refused"] };
    expect([floor.of(later), floor.of({ ...later, held: ["later"] })]).toEqual([100, 0]);
  });

  it("looks at the database until rows are known to be visible, then once a second", async () => {
    const { floor, state, look } = await openFloor(100);
    expect(floor.isOpening).toBe(false);
    await look(500);
    await look(999);
    expect(state.looks).toBe(2);
    await look(1_000);
    expect(state.looks).toBe(3);
  });

  it("looks once a second as well where a transaction stays open", async () => {
    const { db, state } = openDatabase(100);
    state.openSince = 1;
    const floor = new HeldFloor();
    for (let look = 0; look < 100; look += 1) await floor.look(db, look);
    expect([state.looks, floor.isOpening]).toEqual([20, false]);
  });
});
