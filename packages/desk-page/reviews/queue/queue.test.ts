import { describe, expect, it } from "@jest/globals";
import { dayOf, startOfDay } from "../../../ui/zoned-time.ts";
import type { QueuedCase } from "../reviews.ts";
import { filtersOf, isFiltered, nextBodyOf, queryOf, searchWith } from "./filters.ts";
import { steadyRows } from "./steady-rows.ts";

describe("the filters of the queue", () => {
  const search = new URLSearchParams("view=overdue&country_code=US&q=acme");

  it("are read from the URL and asked of the service", () => {
    const query = { country_code: "US", q: "acme", overdue: "true", limit: 100 };
    expect(queryOf(filtersOf(search))).toEqual(query);
    expect(queryOf(filtersOf(new URLSearchParams("view=mine&after=o1")))).toEqual({
      claimed_by: "me",
      limit: 100,
      starting_after: "o1",
    });
  });

  it("fall back to the unclaimed cases", () => {
    expect(filtersOf(new URLSearchParams("view=nonsense")).view).toBe("unclaimed");
    expect(isFiltered(filtersOf(new URLSearchParams("view=mine")))).toBe(false);
    expect(isFiltered(filtersOf(search))).toBe(true);
  });

  it("take the next free case without regard to whose cases are shown", () => {
    expect(nextBodyOf(filtersOf(search))).toEqual({ country_code: "US", q: "acme", overdue: true });
    expect(nextBodyOf(filtersOf(new URLSearchParams("view=mine")))).toEqual({});
  });

  it("ask for the cases that are due before the end of a day here", () => {
    const { due_before: before } = queryOf(filtersOf(new URLSearchParams("due=tomorrow")));
    expect(before).toBe(startOfDay(dayOf(2)));
    expect(isFiltered(filtersOf(new URLSearchParams("due=tomorrow")))).toBe(true);
    expect(queryOf(filtersOf(new URLSearchParams("due=someday")))).not.toHaveProperty("due_before");
  });

  it("begin at the first page when they change", () => {
    const before = new URLSearchParams("view=all&after=o1&q=acme");
    expect(searchWith(before, { q: "" }).toString()).toBe("view=all");
  });
});

describe("steady rows", () => {
  const row = (order_id: string, attempt = 1) => ({ order_id, attempt }) as QueuedCase;

  it("stay in their places with their present facts, while new ones wait", () => {
    const shown = [row("a"), row("b")];
    const { rows, newCount, goneCount } = steadyRows(shown, [row("c"), row("b", 2)]);
    expect(rows).toEqual([
      { ...row("a"), isGone: true },
      { ...row("b", 2), isGone: false },
    ]);
    expect([newCount, goneCount]).toEqual([1, 1]);
  });
});
