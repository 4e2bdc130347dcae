import { describe, expect, it } from "@jest/globals";
import { DateTime } from "luxon";
import { addBusinessDays, isBusinessDay } from "./business-days.ts";

const day = (iso: string): DateTime => DateTime.fromISO(iso, { zone: "Europe/Paris" });

describe("business days", () => {
  it.each([
    ["2026-11-20T15:00", 1, "2026-11-23"],
    ["2026-11-21T15:00", 1, "2026-11-23"],
    ["2026-11-22T15:00", 1, "2026-11-23"],
    ["2026-11-20T15:00", 7, "2026-12-01"],
    ["2026-12-30T15:00", 2, "2027-01-01"],
    ["2026-11-21T15:00", 0, "2026-11-21"],
  ])("%s and %d more is %s", (from, count, expected) => {
    expect(addBusinessDays(day(from), count).toISODate()).toBe(expected);
  });

  it("keep the time of day across a change of clocks", () => {
    expect(addBusinessDays(day("2026-10-23T09:00"), 1).toISO()).toBe(
      "2026-10-26T09:00:00.000+01:00",
    );
  });

  it("are those of the zone", () => {
    const late = DateTime.fromISO("2026-11-22T23:30:00Z");
    expect(isBusinessDay(late.setZone("UTC"))).toBe(false);
    expect(isBusinessDay(late.setZone("Australia/Sydney"))).toBe(true);
  });
});
