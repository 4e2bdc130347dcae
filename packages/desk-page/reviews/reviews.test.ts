import { describe, expect, it } from "@jest/globals";
import { QueryClient } from "@tanstack/react-query";
import { SESSION_KEY } from "../session.ts";
import { caseKey, handoverText, isOwnClaim, QUEUE_KEY } from "./reviews.ts";

const ANN = { id: "ann", name: "Ann Reed" };
const BOB = { id: "bob", name: "Bob Miller" };
const HINT = { order_id: "one", attempt: 1, state: "open", claimed_by: ANN };

function annsPage(review: object, updatedAt = Date.now()): QueryClient {
  const client = new QueryClient();
  client.setQueryData(SESSION_KEY, { ...ANN, role: "reviewer" });
  client.setQueryData(caseKey("one"), review, { updatedAt });
  return client;
}

describe("a hint about a case on the page", () => {
  const claimed = { attempt: 1, state: "open", claimed_by: ANN };

  it("says nothing new right after the operator's own claim", () => {
    expect(isOwnClaim(annsPage(claimed), caseKey("one"), HINT)).toBe(true);
  });

  it.each([
    ["another operator's claim", { ...HINT, claimed_by: BOB }],
    ["a release", { ...HINT, claimed_by: null }],
    ["a withdrawal", { ...HINT, state: "withdrawn" }],
    ["another attempt", { ...HINT, attempt: 2 }],
  ])("is followed where it is about %s", (_, hint) => {
    expect(isOwnClaim(annsPage(claimed), caseKey("one"), hint)).toBe(false);
  });

  it("is followed where the answer came long before it, was another, or is the queue's", () => {
    expect(isOwnClaim(annsPage(claimed, Date.now() - 60_000), caseKey("one"), HINT)).toBe(false);
    const unclaimed = { ...claimed, claimed_by: null };
    expect(isOwnClaim(annsPage(unclaimed), caseKey("one"), HINT)).toBe(false);
    expect(isOwnClaim(annsPage(claimed), QUEUE_KEY, HINT)).toBe(false);
  });
});

const CAT = { id: "cat", name: "Cat Jones" };
const at = "2026-03-02T14:00:00.000Z";

describe("how a case came to its claimer", () => {
  it("says to whom a lead assigned it, whoever had it before", () => {
    const assigned = { by: ANN, reason: null, at, seen_at: at };
    const free = "Ann Reed assigned it to Bob Miller";
    expect(handoverText({ ...assigned, from: null }, BOB)).toBe(free);
    expect(handoverText({ ...assigned, from: ANN }, BOB)).toBe(free);
    const others = "Ann Reed assigned it to Bob Miller; Cat Jones had claimed it";
    expect(handoverText({ ...assigned, from: CAT }, BOB)).toBe(others);
  });

  it("says from whom a lead took it over, and why", () => {
    const taken = { by: ANN, from: BOB, reason: "Bob is at lunch", at, seen_at: at };
    expect(handoverText(taken, ANN)).toBe("Ann Reed took it over from Bob Miller: Bob is at lunch");
  });
});
