import { describe, expect, it } from "@jest/globals";
import { attentionOf } from "./show-orders.ts";

const raised_at = "2026-03-02T14:00:00.000Z";
const NOTHING = {
  ...{ account_name: "Acme", dead_letter: null, overdue_since: null },
  ...{ comment_since: null, duplicate: null },
};
const LETTER = { consumer: "carrier-adapter", error_code: "rule_broken", created_at: raised_at };
const LATE = { ...NOTHING, overdue_since: new Date(raised_at) };

describe("the attention of the desk", () => {
  it("is null where nothing is wrong", () => {
    expect(attentionOf({ attention: null }, NOTHING)).toBeNull();
  });

  it("names the most pressing reason", () => {
    const alert = { reason: "The carrier has not answered.", raised_at };
    const all = { ...LATE, dead_letter: LETTER };
    expect(attentionOf({ attention: alert }, all)).toEqual({ kind: "carrier", ...alert });
    expect(attentionOf({ attention: null }, all)).toEqual({
      kind: "dead_letter",
      reason: "carrier-adapter could not handle a message of the order (rule_broken).",
      raised_at,
    });
    const duplicate = { account: "Beta", created_at: raised_at };
    const waiting = { ...LATE, comment_since: new Date(raised_at) };
    expect(attentionOf({ attention: null }, { ...waiting, duplicate })).toEqual({
      kind: "duplicate",
      reason: "A live order of Beta has one of its numbers.",
      raised_at,
    });
    expect(attentionOf({ attention: null }, waiting)?.kind).toBe("comment");
    expect(attentionOf({ attention: null }, LATE)).toEqual({
      kind: "review_overdue",
      reason: "The review is past its due time.",
      raised_at,
    });
  });
});
