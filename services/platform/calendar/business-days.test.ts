import { describe, expect, it } from "@jest/globals";
import { DateTime } from "luxon";
import { addBusinessDays, isBusinessDay } from "./business-days.ts";

const never = (): boolean => false;
const christmas = ({ month, day: date }: DateTime): boolean => month === 12 && date === 25;
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
    expect(addBusinessDays(day(from), count, never).toISODate()).toBe(expected);
  });

  it("are not looked for after a day that the calendar does not have", () => {
    expect(() => addBusinessDays(day("2026-02-30"), 1, never)).toThrow("no day: unit out of range");
  });

  it("skip additional days off", () => {
    expect(isBusinessDay(day("2026-12-25"), christmas)).toBe(false);
    expect(addBusinessDays(day("2026-12-24"), 1, christmas).toISODate()).toBe("2026-12-28");
  });

  it("keep the time of day across a daylight saving change", () => {
    expect(addBusinessDays(day("2026-10-23T09:00"), 1, never).toISO()).toBe(
      "2026-10-26T09:00:00.000+01:00",
    );
  });

  it("are those of the day's time zone", () => {
    const late = DateTime.fromISO("2026-11-22T23:30:00Z");
    expect(isBusinessDay(late.setZone("UTC"), never)).toBe(false);
    expect(isBusinessDay(late.setZone("Australia/Sydney"), never)).toBe(true);
  });
});
