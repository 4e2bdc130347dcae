import { describe, expect, it } from "@jest/globals";
import type { Pool, QueryConfig } from "pg";
import { PastHeldFetcher, type PastHeldRange } from "./past-held.ts";

const RANGE: PastHeldRange = {
  shards: [0, 1],
  underWay: [],
  limit: 10,
  session: 1,
  refused: ["refused"],
  held: ["refused"],
  mayGoOn: () => true,
};

/** Rows of the refused topic alone, all of them visible. */
function openOutbox(highest: number) {
  const state = { unsentAgain: 0, horizons: 0 };
  const floors: number[] = [];
  const answer = ({ name, values = [] }: QueryConfig): object => {
    if (name === "outbox-horizon") {
      const transaction = (state.horizons += 1);
      const transactions = { oldest_transaction: transaction, next_transaction: transaction };
      return { highest, low_id: 0, ...transactions };
    }
    floors.push(Number(values[4]));
    return { unsent_again: state.unsentAgain, examined_to: null, id: null };
  };
  const query = (config: QueryConfig) => Promise.resolve({ rows: [answer(config)] });
  return { state, floors, pool: { query } as unknown as Pool };
}

/** A fetcher whose next fetch begins above all rows. */
async function openFetcher() {
  const outbox = openOutbox(100);
  const fetcher = new PastHeldFetcher(outbox.pool);
  for (let fetch = 0; fetch < 3; fetch += 1) await fetcher.fetch(RANGE, 0);
  expect(outbox.floors.splice(0)).toEqual([0, 0, 100]);
  const floorAfter = async (range: Partial<PastHeldRange>, nowMs = 1) => {
    await fetcher.fetch({ ...RANGE, ...range }, nowMs);
    return outbox.floors.at(-1);
  };
  return { ...outbox, fetcher, floorAfter };
}

describe("fetching past the rows of held topics", () => {
  it("begins above them as long as nothing says that there may be others", async () => {
    const { floorAfter } = await openFetcher();
    expect(await floorAfter({}, 1_799_999)).toBe(100);
  });

  it.each([
    ["other shards are held", { shards: [0] }, 1],
    ["the same are held by other locks", { session: 2 }, 1],
    ["half an hour has passed", {}, 1_800_000],
  ])("begins at the first row where %s", async (_, range, nowMs) => {
    const { floorAfter } = await openFetcher();
    expect(await floorAfter(range, nowMs)).toBe(0);
  });

  it("sends nothing that was found above rows which became unsent again, and begins at the first", async () => {
    const { state, fetcher, floors, floorAfter } = await openFetcher();
    state.unsentAgain += 1;
    expect(await fetcher.fetch(RANGE, 1)).toMatchObject({ rows: [], full: true });
    expect(floors).toEqual([100]);
    expect(await floorAfter({})).toBe(0);
  });
});
