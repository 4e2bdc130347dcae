import { describe, expect, it } from "@jest/globals";
import type { Queryable } from "../../platform/db/transaction.ts";
import { createLogger } from "../../platform/logger.ts";
import { ChangeWatch } from "./change-watch.ts";

const AT = new Date("2026-03-02T09:00:00.000Z");
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
