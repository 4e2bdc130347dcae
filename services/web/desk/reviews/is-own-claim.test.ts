import { describe, expect, it } from "@jest/globals";
import { QueryClient } from "@tanstack/react-query";
import { SESSION_KEY } from "../session/session.ts";
import { isOwnClaim } from "./is-own-claim.ts";
import { caseKey, QUEUE_KEY } from "./queries.ts";

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
