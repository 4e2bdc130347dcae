import { describe, expect, it } from "@jest/globals";
import { newId } from "../ids.ts";
import { idRange } from "./id-range.ts";

const NOON = new Date("2026-05-04T12:00:00.000Z");
const before = newId(new Date(NOON.getTime() - 1));
const at = newId(NOON);
const after = newId(new Date(NOON.getTime() + 1));
const IDS = [before, at, after];

function within(scan: { direction: "asc" | "desc"; cursorId: string | null }, created = {}) {
  const { above, below } = idRange({ ...scan, fetch: 51 }, created);
  return IDS.filter((id) => id > above && id < below);
}

describe("idRange", () => {
  it("contains every id without conditions", () => {
    expect(within({ direction: "desc", cursorId: null })).toEqual(IDS);
  });

  it("starts after the cursor, in either direction", () => {
    expect(within({ direction: "asc", cursorId: at })).toEqual([after]);
    expect(within({ direction: "desc", cursorId: at })).toEqual([before]);
  });

  it("takes created_after inclusively and created_before exclusively", () => {
    const scan = { direction: "desc", cursorId: null } as const;
    expect(within(scan, { created_after: NOON })).toEqual([at, after]);
    expect(within(scan, { created_before: NOON })).toEqual([before]);
  });

  it("narrows by cursor and times together", () => {
    expect(within({ direction: "desc", cursorId: after }, { created_after: NOON })).toEqual([at]);
    expect(within({ direction: "asc", cursorId: before }, { created_after: NOON })).toEqual([
      at,
      after,
    ]);
    expect(within({ direction: "desc", cursorId: after }, { created_before: NOON })).toEqual([
      before,
    ]);
    expect(within({ direction: "asc", cursorId: at }, { created_before: NOON })).toEqual([]);
  });

  it("covers the years that a query may contain", () => {
    const scan = { direction: "desc", cursorId: null } as const;
    const created = {
      created_after: new Date(0),
      created_before: new Date("9999-12-31T23:59:59.999Z"),
    };
    expect(within(scan, created)).toEqual(IDS);
  });
});
