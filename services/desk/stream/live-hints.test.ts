import { describe, expect, it } from "@jest/globals";
import type { Queryable } from "../../platform/db/transaction.ts";
import { createLogger } from "../../platform/logger.ts";
import { ChangeWatch, NewHints } from "./live-hints.ts";
import type { ChangedCase, ChangedOrder, RecentChanges } from "./store.ts";

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

const RECENT = { cases: [], orders: [], overdue: 1, health: null };

describe("the watch of the desk's changes", () => {
  it("asks once for all listeners, and not at all without any", async () => {
    let queries = 0;
    const query = () => {
      queries += 1;
      return Promise.resolve({ rows: [{ recent: RECENT }] });
    };
    const db = { query } as unknown as Queryable;
    const clock = { now: () => AT };
    const watch = new ChangeWatch({ db, clock, log: createLogger("test", "silent") });
    expect(queries).toBe(0);
    const heard = await new Promise<readonly (readonly string[])[]>((resolve) => {
      const all: (readonly string[])[] = [];
      const reader = () => (frames: readonly string[]) => {
        all.push(frames);
        if (all.length < 2) return;
        for (const leave of leaving) leave();
        resolve(all);
      };
      const leaving = [watch.listen(reader()), watch.listen(reader())];
    });
    expect(heard.map((frames) => frames.length)).toEqual([1, 1]);
    expect(queries).toBe(1);
  });
});
