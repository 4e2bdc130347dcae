import { describe, expect, it } from "@jest/globals";
import type { QueryConfig } from "pg";
import type { StoredDecision } from "../../domain/review/store/cases.ts";
import type { ReviewResult } from "../../messages/generated/review-result.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { storedDecision } from "./on-review-result.ts";

const ID = "01a1fc57-b585-7195-84b0-000000000001";
const OTHER_ID = "01a1fc57-b585-7195-84b0-000000000002";
const approval = { decision: "approve", code: null, reason: null } as const;
const verdict = { slug: "loa", phone_number: null, ...approval };
const stored: StoredDecision = {
  id: ID,
  order_id: "order",
  attempt: 1,
  operator_id: "ada",
  decisions: [verdict],
  confirm: true,
  decided_at: new Date("2026-11-02T09:00:00.000Z"),
};
const message: ReviewResult = {
  kind: "decided",
  order_id: "order",
  attempt: 1,
  slug: null,
  document_id: null,
  passed: null,
  code: null,
  detail: null,
  decisions: [verdict],
  confirm: true,
  operator_id: "ada",
  decision_id: ID,
};

/** The desk's record has one decision, under its id. */
const desk = {
  query: ({ name, values = [] }: QueryConfig) =>
    Promise.resolve({ rows: name === "decision-find" && values[0] === ID ? [stored] : [] }),
} as unknown as Queryable;
const unknown = { code: "unknown_decision" };

describe("a decision that a message reports", () => {
  it("is the one that the desk has recorded under the message's id", async () => {
    expect(await storedDecision(desk, message, ID)).toBe(stored);
  });

  it("is unknown under any other message-id, under which it could take effect again", async () => {
    await expect(storedDecision(desk, message, OTHER_ID)).rejects.toMatchObject(unknown);
  });

  it("is unknown where the desk has no decision of that id, or the message names none", async () => {
    const other = { ...message, decision_id: OTHER_ID };
    await expect(storedDecision(desk, other, OTHER_ID)).rejects.toMatchObject(unknown);
    const without = { ...message, decision_id: null };
    await expect(storedDecision(desk, without, OTHER_ID)).rejects.toMatchObject(unknown);
  });

  it.each<Partial<ReviewResult>>([
    { order_id: "other" },
    { attempt: 2 },
    { operator_id: "eve" },
    { decisions: [] },
    { confirm: false },
  ])("is unknown where the desk decided otherwise: %j", async (fields) => {
    await expect(storedDecision(desk, { ...message, ...fields }, ID)).rejects.toMatchObject(
      unknown,
    );
  });
});
