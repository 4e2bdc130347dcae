import { describe, expect, it } from "@jest/globals";
import { NewHints } from "./new-hints.ts";
import type { ChangedCase, ChangedOrder, RecentChanges } from "./store/recent-changes.ts";

const AT = new Date("2026-03-02T09:00:00.000Z");
const NOTHING: RecentChanges = { cases: [], orders: [], overdue: 0, health: null };
const ORDER: ChangedOrder = { id: "o", account_id: "a", status: "draft", entry_id: "1" };
const CASE: ChangedCase = {
  order_id: "o",
  attempt: 1,
  state: "open",
  claimed_by: null,
  due_at: "2026-03-02T17:00:00.5+00:00",
  changed_at: "2026-03-02T09:00:00.123456+00:00",
};

const typesOf = (frames: readonly string[]): string[] =>
  frames.map((frame) => /^event: (.*)$/m.exec(frame)?.[1] ?? "");

describe("the hints of overlapping looks", () => {
  it("come once each, a case with the counts", () => {
    const hints = new NewHints();
    const first = { ...NOTHING, cases: [CASE], orders: [ORDER] };
    expect(typesOf(hints.framesOf(first, AT))).toEqual(["review", "order", "counts"]);
    expect(hints.framesOf(first, AT)).toEqual([]);
  });

  it("have what committed late, though it is older than what was seen", () => {
    const hints = new NewHints();
    const late = { ...CASE, order_id: "late", changed_at: "2026-03-02T08:59:55+00:00" };
    hints.framesOf({ ...NOTHING, cases: [CASE] }, AT);
    const frames = hints.framesOf({ ...NOTHING, cases: [late, CASE] }, AT);
    expect(typesOf(frames)).toEqual(["review", "counts"]);
    expect(frames[0]).toContain('"order_id":"late"');
  });

  it("come again for another change of the same case or order", () => {
    const hints = new NewHints();
    hints.framesOf({ ...NOTHING, cases: [CASE], orders: [ORDER] }, AT);
    const cases = [{ ...CASE, claimed_by: { id: "p", name: "Ada Byron" } }];
    const orders = [{ ...ORDER, entry_id: "2" }];
    const frames = hints.framesOf({ ...NOTHING, cases, orders }, AT);
    expect(typesOf(frames)).toEqual(["review", "order", "counts"]);
    expect(frames[0]).toContain('"claimed_by":{"id":"p","name":"Ada Byron"}');
  });

  it("have the counts for a case that became overdue, and health for a new sample", () => {
    const hints = new NewHints();
    const health = { minute: "2026-03-02T09:00:00+00:00", status: "slow" } as const;
    const frames = hints.framesOf({ ...NOTHING, overdue: 1, health }, AT);
    expect(frames).toEqual([
      'event: health\ndata: {"at":"2026-03-02T09:00:00.000Z","status":"slow"}\n\n',
      'event: counts\ndata: {"at":"2026-03-02T09:00:00.000Z"}\n\n',
    ]);
    expect(hints.framesOf({ ...NOTHING, health }, AT)).toEqual([]);
  });

  it("write instants as the API does, and nothing that the hint does not promise", () => {
    const [frame = ""] = new NewHints().framesOf({ ...NOTHING, cases: [CASE] }, AT);
    expect(JSON.parse(/^data: (.*)$/m.exec(frame)?.[1] ?? "")).toEqual({
      order_id: "o",
      attempt: 1,
      state: "open",
      claimed_by: null,
      due_at: "2026-03-02T17:00:00.500Z",
    });
  });
});
