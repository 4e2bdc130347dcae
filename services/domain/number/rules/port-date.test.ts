import { describe, expect, it } from "@jest/globals";
import { DateTime } from "luxon";
import { isPublicHoliday } from "../../../platform/calendar/public-holidays.ts";
import { ORDER_KINDS } from "../../requirement/rules/catalogue.ts";
import {
  addBusinessDays,
  confirmedFoc,
  earliestFoc,
  isBusinessDay,
  movedFoc,
} from "./port-date.ts";

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

describe("the date that a losing carrier confirms", () => {
  const requestedAt = new Date("2026-11-20T15:00:00Z");
  const asked = { phoneNumber: "+12125551234", numberType: null, requestedAt, wanted: null };
  const mobile = { country_code: "US", number_type: "mobile" } as const;

  it("is the earliest of the order's own type", () => {
    const known = { ...asked, numberType: "mobile" } as const;
    expect(confirmedFoc(known)).toBe(earliestFoc(mobile, requestedAt));
  });

  it("is that of the type that takes longer where the numbering plan leaves the type open", () => {
    const local = earliestFoc(US_LOCAL, requestedAt);
    expect(Date.parse(local ?? "")).toBeGreaterThan(
      Date.parse(earliestFoc(mobile, requestedAt) ?? ""),
    );
    expect(confirmedFoc(asked)).toBe(local);
  });

  it("is never before the earliest nor on a day off, whatever kind, moment and wish", () => {
    const zone = "America/New_York";
    for (let hours = 0; hours < 60 * 24; hours += 7) {
      const at = new Date(requestedAt.getTime() + hours * 3_600_000);
      const wanted = new Date(at.getTime() + (hours % 15) * 24 * 3_600_000).toISOString();
      const confirmed = confirmedFoc({ ...asked, requestedAt: at, wanted });
      const day = DateTime.fromISO(confirmed, { zone });
      expect(isBusinessDay(day, (one) => isPublicHoliday("US", one))).toBe(true);
      const earliest = Date.parse(earliestFoc(US_LOCAL, at) ?? "");
      expect(day.toMillis()).toBeGreaterThanOrEqual(earliest);
    }
  });

  it.each([
    ["when summer time ends", "2026-10-28T10:00:00-04:00", "2026-11-04T10:00:00-05:00"],
    ["when it begins", "2027-03-10T10:00:00-05:00", "2027-03-17T10:00:00-04:00"],
    ["beside it", "2026-12-01T10:00:00-05:00", "2026-12-08T10:00:00-05:00"],
  ])("is moved by a week to the same hour of the number's clock, %s", (_when, confirmed, moved) => {
    expect(movedFoc(confirmed, asked)).toBe(moved);
  });

  it("exists for a number of no country that can be ordered", () => {
    const foreign = { ...asked, phoneNumber: "+41211234567" };
    expect(confirmedFoc(foreign)).toBe("2026-11-27T15:00:00Z");
    expect(movedFoc("2026-11-27T15:00:00Z", foreign)).toBe("2026-12-04T15:00:00Z");
  });
});

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
