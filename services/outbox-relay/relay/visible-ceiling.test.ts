import { describe, expect, it } from "@jest/globals";
import { VisibleCeiling } from "./visible-ceiling.ts";

const look = (highest: number, oldest: number, next: number) => ({
  highest,
  oldest_transaction: oldest,
  next_transaction: next,
  low_id: 0,
});

describe("the visible ceiling", () => {
  it("takes two looks when no transaction is open", () => {
    const ceiling = new VisibleCeiling();
    expect(ceiling.look(look(10, 5, 5))).toBe(0);
    expect(ceiling.look(look(20, 7, 7))).toBe(10);
    expect(ceiling.look(look(30, 8, 8))).toBe(20);
  });

  it("stays below ids that an open transaction may have drawn", () => {
    const ceiling = new VisibleCeiling();
    ceiling.look(look(10, 5, 6));
    expect(ceiling.look(look(20, 5, 8))).toBe(0);
    expect(ceiling.look(look(30, 7, 9))).toBe(0);
    expect(ceiling.look(look(40, 8, 12))).toBe(10);
  });
});
