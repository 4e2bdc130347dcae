import { describe, expect, it } from "@jest/globals";
import { handoverText } from "./handover-text.ts";

const ANN = { id: "ann", name: "Ann Reed" };
const BOB = { id: "bob", name: "Bob Miller" };
const CAT = { id: "cat", name: "Cat Jones" };
const at = "2026-03-02T14:00:00.000Z";

describe("how a case came to its claimer", () => {
  it("says to whom a lead assigned it, whoever had it before", () => {
    const assigned = { by: ANN, reason: null, at };
    const free = "Ann Reed assigned it to Bob Miller";
    expect(handoverText({ ...assigned, from: null }, BOB)).toBe(free);
    expect(handoverText({ ...assigned, from: ANN }, BOB)).toBe(free);
    const others = "Ann Reed assigned it to Bob Miller; Cat Jones had claimed it";
    expect(handoverText({ ...assigned, from: CAT }, BOB)).toBe(others);
  });

  it("says from whom a lead took it over, and why", () => {
    const taken = { by: ANN, from: BOB, reason: "Bob is at lunch", at };
    expect(handoverText(taken, ANN)).toBe("Ann Reed took it over from Bob Miller: Bob is at lunch");
  });
});
