import { describe, expect, it } from "@jest/globals";
import {
  endsRun,
  NONE_SELECTED,
  sortedBy,
  sortingOf,
  sortParameters,
  stillShown,
  toggled,
  toggledAll,
  totalText,
  type Selection,
  type Sorting,
} from "./list-rules.ts";

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

  it("is turned round by a second click, as at first by a third, and starts upwards at another column", () => {
    const byName = sortedBy("name", NEWEST, NEWEST);
    expect(byName).toEqual({ by: "name", order: "asc" });
    expect(sortedBy("name", byName, NEWEST)).toEqual({ by: "name", order: "desc" });
    expect(sortedBy("name", { by: "name", order: "desc" }, NEWEST)).toEqual(NEWEST);
    expect(sortedBy("created_at", NEWEST, NEWEST)).toEqual({ by: "created_at", order: "asc" });
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

describe("the selected rows of a page", () => {
  const shown = ["a", "b", "c", "d"];
  const of = (selection: Selection) => [...selection.keys].toSorted();
  const pick = (selection: Selection, key: string, withRange = false) =>
    toggled(selection, shown, { key, withRange });

  it("are selected and left out one by one", () => {
    const two = pick(pick(NONE_SELECTED, "c"), "a");
    expect(of(two)).toEqual(["a", "c"]);
    expect(of(pick(two, "c"))).toEqual(["a"]);
  });

  it("become, with a range, all as the last one does, in either direction", () => {
    expect(of(pick(pick(NONE_SELECTED, "b"), "d", true))).toEqual(["b", "c", "d"]);
    expect(of(pick(pick(NONE_SELECTED, "d"), "b", true))).toEqual(["b", "c", "d"]);
    const all = toggledAll(NONE_SELECTED, shown);
    expect(of(pick(pick(all, "b"), "c", true))).toEqual(["a", "d"]);
    expect(of(pick(NONE_SELECTED, "b", true))).toEqual(["b"]);
  });

  it("are all or none by one box", () => {
    const all = toggledAll(pick(NONE_SELECTED, "b"), shown);
    expect(of(all)).toEqual(shown);
    expect(of(toggledAll(all, shown))).toEqual([]);
  });

  it("are only those that are shown", () => {
    const left = stillShown(toggledAll(NONE_SELECTED, shown), ["b", "x"]);
    expect(of(left)).toEqual(["b"]);
    expect(stillShown(pick(NONE_SELECTED, "a"), ["b"]).last).toBeNull();
  });
});

describe("an act on several rows", () => {
  it.each([
    [0, true],
    [401, true],
    [403, true],
    [503, true],
    [404, false],
    [409, false],
    [422, false],
  ])("ends at a refusal with status %i: %s", (status, ends) => {
    expect(endsRun({ status })).toBe(ends);
  });
});
