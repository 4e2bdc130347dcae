import { describe, expect, it } from "@jest/globals";
import { sortedBy, sortingOf, sortParameters, totalText, type Sorting } from "./list-rules.ts";

const NEWEST: Sorting = { by: "created_at", order: "desc" };

describe("what a list is sorted by", () => {
  it.each([
    [{ by: "", order: "" }, NEWEST],
    [
      { by: "", order: "asc" },
      { by: "created_at", order: "asc" },
    ],
    [
      { by: "name", order: "" },
      { by: "name", order: "asc" },
    ],
    [
      { by: "name", order: "desc" },
      { by: "name", order: "desc" },
    ],
    [{ by: "", order: "sideways" }, NEWEST],
  ])("is read from the URL: %j", (given, sorting) => {
    expect(sortingOf(given, NEWEST)).toEqual(sorting);
  });

  it("is turned round by a second click, and starts upwards at another column", () => {
    const byName = sortedBy("name", NEWEST, NEWEST);
    expect(byName).toEqual({ by: "name", order: "asc" });
    expect(sortedBy("name", byName, NEWEST)).toEqual({ by: "name", order: "desc" });
    expect(sortedBy("created_at", byName, NEWEST)).toEqual(NEWEST);
  });

  it("stands in the URL only where the list is not so by itself", () => {
    expect(sortParameters(NEWEST, NEWEST)).toEqual({ order_by: "", order: "" });
    expect(sortParameters({ by: "name", order: "asc" }, NEWEST)).toEqual({
      order_by: "name",
      order: "",
    });
    expect(sortParameters({ by: "created_at", order: "asc" }, NEWEST)).toEqual({
      order_by: "",
      order: "asc",
    });
  });

  it("reads as it was written", () => {
    for (const by of ["created_at", "name"]) {
      for (const order of ["asc", "desc"] as const) {
        const { order_by, order: written } = sortParameters({ by, order }, NEWEST);
        expect(sortingOf({ by: order_by, order: written }, NEWEST)).toEqual({ by, order });
      }
    }
  });
});

describe("a total", () => {
  it.each([
    [{ count: 1, is_more: false }, "1 order"],
    [{ count: 1204, is_more: false }, "1,204 orders"],
    [{ count: 10_000, is_more: false }, "10,000 orders"],
    [{ count: 10_000, is_more: true }, "10,000+ orders"],
  ])("of %j is %s", (total, text) => {
    expect(totalText(total, "order")).toBe(text);
  });
});
