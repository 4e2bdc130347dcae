import { describe, expect, it } from "@jest/globals";
import { ORDER_KINDS } from "../../domain/requirement/rules/catalogue.ts";
import { earliestFoc } from "./earliest-foc.ts";

const US_LOCAL = { country_code: "US", number_type: "local" } as const;

describe("the earliest port date", () => {
  it("exists for every kind that can be ordered, on a business day after now", () => {
    const now = new Date("2026-11-20T09:00:00Z");
    for (const kind of ORDER_KINDS) {
      const foc = earliestFoc(kind, now) ?? "";
      expect(foc).toMatch(/T\d{2}:00:00[+-]\d{2}:00$/);
      expect(Date.parse(foc)).toBeGreaterThan(now.getTime());
      expect([0, 6]).not.toContain(new Date(`${foc.slice(0, 10)}T00:00:00Z`).getUTCDay());
    }
  });

  it.each([
    [
      "before the cut-off: that day is the first",
      "2026-11-20T17:59:59Z",
      "2026-11-25T10:00:00-05:00",
    ],
    [
      "at the cut-off: the next day is the first; Thanksgiving is skipped",
      "2026-11-20T18:00:00Z",
      "2026-11-27T10:00:00-05:00",
    ],
    ["on a Saturday: Monday is the first", "2026-11-21T15:00:00Z", "2026-11-27T10:00:00-05:00"],
    ["on the local Friday, Saturday in UTC", "2026-11-21T03:00:00Z", "2026-11-27T10:00:00-05:00"],
    ["with the offset of its own day", "2026-03-05T15:00:00Z", "2026-03-10T10:00:00-04:00"],
  ])("%s", (_case, now, expected) => {
    expect(earliestFoc(US_LOCAL, new Date(now))).toBe(expected);
  });

  it("is null for a kind that cannot be ordered", () => {
    const now = new Date("2026-11-20T09:00:00Z");
    expect(earliestFoc({ country_code: "BR", number_type: "local" }, now)).toBeNull();
    expect(earliestFoc({ country_code: "FR", number_type: "shared_cost" }, now)).toBeNull();
  });
});
