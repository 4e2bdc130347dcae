import { describe, expect, it } from "@jest/globals";
import {
  decisionsOf,
  isSameDecision,
  type CaseRecord,
  type DeskDecision,
} from "./desk-decision.ts";

const FIRST = new Date("2026-05-04T10:00:00.000Z");
const LAST = new Date("2026-05-04T11:00:00.000Z");

const approve = { slug: "loa", decision: "approve", code: null, reason: null } as const;
const reject = { slug: "invoice", decision: "reject", code: null, reason: "Blurred" } as const;
const given = (at: Date) => ({ operator_id: "ada", at: at.toISOString() });

function record(fields: Partial<CaseRecord> = {}): CaseRecord {
  return {
    order_id: "order",
    attempt: 1,
    state: "open",
    decisions: [],
    decided_at: null,
    decided_by: null,
    ...fields,
  };
}

const made: DeskDecision = {
  order_id: "order",
  attempt: 1,
  operator_id: "ada",
  decisions: [approve],
  confirm: false,
};

describe("the decisions that a case records", () => {
  it("are none while nothing was decided", () => {
    expect(decisionsOf(record())).toEqual([]);
  });

  it("are approvals that left it open, and what closed it", () => {
    const decisions = [
      { ...approve, ...given(FIRST) },
      { ...reject, ...given(LAST) },
    ];
    const closed = { state: "decided", decided_at: LAST, decided_by: "ada" } as const;
    expect(decisionsOf(record({ ...closed, decisions }))).toEqual([
      { ...made, at: FIRST },
      { ...made, decisions: [reject], at: LAST },
    ]);
  });

  it("include a confirmation without verdicts", () => {
    const closed = { state: "decided", decided_at: LAST, decided_by: "ada" } as const;
    expect(decisionsOf(record(closed))).toEqual([
      { ...made, decisions: [], confirm: true, at: LAST },
    ]);
  });
});

describe("two decisions", () => {
  it.each([
    ["the order", { order_id: "other" }],
    ["the attempt", { attempt: 2 }],
    ["the operator", { operator_id: "eve" }],
    ["the verdicts", { decisions: [reject] }],
    ["the confirmation", { confirm: true }],
  ])("differ where %s does", (_what, fields) => {
    expect(isSameDecision(made, { ...made })).toBe(true);
    expect(isSameDecision(made, { ...made, ...fields })).toBe(false);
  });
});
