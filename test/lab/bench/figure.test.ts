import { describe, expect, it } from "@jest/globals";
import { rounded, targetText, verdictOf, type Figure } from "./figure.ts";

const figure = (fields: Partial<Figure>): Figure => ({
  name: "rate",
  measured: 50,
  unit: "/s",
  target: { kind: "reported" },
  ...fields,
});

describe("a figure", () => {
  it("is judged by its share of the floor in the same run", () => {
    const target = { kind: "at_least_of_floor", accept: 0.5, goal: 0.8 } as const;
    expect(verdictOf(figure({ target, floor: { what: "bare", measured: 60 } }))).toBe("goal met");
    expect(verdictOf(figure({ target, floor: { what: "bare", measured: 100 } }))).toBe("met");
    expect(verdictOf(figure({ target, floor: { what: "bare", measured: 101 } }))).toBe("MISSED");
  });

  it("is judged by its multiple of the floor", () => {
    const target = { kind: "at_most_of_floor", accept: 1.3 } as const;
    expect(verdictOf(figure({ target, floor: { what: "of few", measured: 40 } }))).toBe("met");
    expect(verdictOf(figure({ target, floor: { what: "of few", measured: 38 } }))).toBe("MISSED");
  });

  it("is judged by its multiple of the best peer, and not by the floor", () => {
    const target = { kind: "at_least_of_peer", accept: 2, goal: 3 } as const;
    const floor = { what: "bare", measured: 1 };
    const beside = (measured: number) =>
      verdictOf(figure({ target, floor, peer: { what: "p", measured } }));
    expect([beside(16), beside(25), beside(26)]).toEqual(["goal met", "met", "MISSED"]);
  });

  it("is at most a multiple of a peer", () => {
    const target = { kind: "at_most_of_peer", accept: 4 } as const;
    const beside = (measured: number) =>
      verdictOf(figure({ target, peer: { what: "p", measured } }));
    expect([beside(13), beside(12)]).toEqual(["met", "MISSED"]);
    expect(targetText(target)).toBe("≤ 4 × the peer");
  });

  it("is not compared where its floor or peer was not measured", () => {
    const [floor, peer] = ["at_least_of_floor", "at_least_of_peer"] as const;
    expect(verdictOf(figure({ target: { kind: floor, accept: 0.5 } }))).toBe("not compared");
    expect(verdictOf(figure({ target: { kind: peer, accept: 2 } }))).toBe("not compared");
  });

  it("is judged by a fixed bound, or only reported", () => {
    expect(verdictOf(figure({ target: { kind: "at_least", accept: 51 } }))).toBe("MISSED");
    expect(verdictOf(figure({ target: { kind: "at_most", accept: 51, goal: 49 } }))).toBe("met");
    expect(verdictOf(figure({ target: { kind: "at_most", accept: 51, goal: 50 } }))).toBe(
      "goal met",
    );
    expect(verdictOf(figure({}))).toBeNull();
  });

  it("shows its target with the goal", () => {
    expect(targetText({ kind: "at_least_of_peer", accept: 2, goal: 3 })).toBe(
      "≥ 2 × the peer, goal 3",
    );
    expect(targetText({ kind: "at_least_of_floor", accept: 0.05, goal: 0.1 })).toBe(
      "≥ 5 % of the floor, goal 10 %",
    );
    expect(targetText({ kind: "at_most", accept: 1_200 })).toBe("≤ 1,200");
  });

  it("shows three digits that matter", () => {
    expect([0.0474, 1.041, 30.64, 2_594.4].map(rounded)).toEqual([
      "0.047",
      "1.04",
      "30.6",
      "2,594",
    ]);
  });
});
