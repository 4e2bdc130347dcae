import { describe, expect, it } from "@jest/globals";
import { isMet, rowOf, type Figure } from "./figure.ts";

const figure = (fields: Partial<Figure>): Figure => ({
  name: "rate",
  measured: 50,
  unit: "/s",
  target: { kind: "reported" },
  ...fields,
});

describe("a figure", () => {
  it("is met or missed by its share of the floor in the same run", () => {
    const target = { kind: "share_of_floor", least: 0.5 } as const;
    expect(isMet(figure({ target, floor: { what: "bare", measured: 100 } }))).toBe(true);
    expect(isMet(figure({ target, floor: { what: "bare", measured: 101 } }))).toBe(false);
    expect(isMet(figure({ target }))).toBe(false);
  });

  it("is met or missed by its multiple of the floor", () => {
    const target = { kind: "times_floor", most: 1.3 } as const;
    expect(isMet(figure({ target, floor: { what: "of few", measured: 40 } }))).toBe(true);
    expect(isMet(figure({ target, floor: { what: "of few", measured: 38 } }))).toBe(false);
    expect(isMet(figure({ target }))).toBe(false);
  });

  it("is met or missed by a fixed bound, or only reported", () => {
    expect(isMet(figure({ target: { kind: "at_least", value: 51 } }))).toBe(false);
    expect(isMet(figure({ target: { kind: "at_most", value: 51 } }))).toBe(true);
    expect(isMet(figure({}))).toBeNull();
  });

  it("marks a miss in capitals", () => {
    const missed = figure({ target: { kind: "at_least", value: 51 } });
    expect(rowOf(missed)).toEqual(["rate", "50.00 /s", "", "", "≥ 51", "MISSED"]);
  });
});
