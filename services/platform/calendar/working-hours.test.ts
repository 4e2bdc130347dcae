import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { DateTime } from "luxon";
import { parseWorkingHours } from "./parse-working-hours.ts";
import { isPublicHoliday } from "./public-holidays.ts";
import { addWorkingTime, workingTimeBetween, type WorkingHours } from "./working-hours.ts";

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

function hoursOf(text: string, timeZone: string, country?: string): WorkingHours {
  const isOff = (day: DateTime) => country !== undefined && isPublicHoliday(country, day);
  return { spans: parseWorkingHours(text), timeZone, isOff };
}

const office = hoursOf("Mon-Fri 08:00-18:00", "Europe/Paris", "FR");
const always = hoursOf("Mon-Sun 00:00-24:00", "America/New_York");
/** Open when clocks change, in a zone whose days then begin at 01:00. */
const night = hoursOf("Mon-Sun 00:00-03:30, Sat-Sun 12:00-12:01", "Africa/Cairo");
const split = hoursOf("Mon-Fri 09:00-12:00, Mon-Thu 13:30-17:00", "America/New_York", "US");

const after = (hours: WorkingHours, from: string, worked: number): string =>
  addWorkingTime(hours, new Date(from), worked * HOUR_MS).toISOString();

describe("working time", () => {
  it.each([
    ["2026-03-02T07:00:00.000Z", 8, "2026-03-02T15:00:00.000Z", "within the day"],
    ["2026-03-02T07:00:00.000Z", 10, "2026-03-02T17:00:00.000Z", "to the end of the day"],
    ["2026-03-02T04:00:00.000Z", 1, "2026-03-02T08:00:00.000Z", "from before it opens"],
    ["2026-03-27T16:00:00.000Z", 2, "2026-03-30T07:00:00.000Z", "over a change to summer time"],
    ["2026-10-23T15:00:00.000Z", 2, "2026-10-26T08:00:00.000Z", "over a change to winter time"],
    ["2026-05-07T15:00:00.000Z", 2, "2026-05-11T07:00:00.000Z", "over a holiday and a weekend"],
    ["2026-05-08T10:00:00.000Z", 0, "2026-05-11T06:00:00.000Z", "none, from a holiday"],
  ])("from %s and %d hours is %s, %s", (from, worked, expected) => {
    expect(after(office, from, worked)).toBe(expected);
  });

  it("counts every hour of an office that never closes", () => {
    expect(after(always, "2026-03-08T05:00:00.000Z", 48)).toBe("2026-03-10T05:00:00.000Z");
  });

  it("counts the hours that a day really has where clocks change", () => {
    const sunday = hoursOf("Sun 00:00-24:00", "America/New_York");
    const worked = (day: string, next: string) =>
      workingTimeBetween(sunday, new Date(`${day}T00:00:00Z`), new Date(`${next}T12:00:00Z`));
    expect(worked("2026-03-08", "2026-03-09")).toBe(23 * HOUR_MS);
    expect(worked("2026-11-01", "2026-11-02")).toBe(25 * HOUR_MS);
  });

  it("is none between an instant and an earlier one", () => {
    const [one, other] = [new Date("2026-03-03T10:00:00Z"), new Date("2026-03-02T10:00:00Z")];
    expect(workingTimeBetween(office, one, other)).toBe(0);
  });
});

const instants = fc
  .date({
    min: new Date("2026-01-01T00:00:00Z"),
    max: new Date("2027-12-31T00:00:00Z"),
    noInvalidDate: true,
  })
  .map((at) => new Date(Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS));
const spans = fc.integer({ min: 1, max: 60 * 60 }).map((minutes) => minutes * MINUTE_MS);
const calendars = fc.constantFrom(office, always, night, split);

describe("working time at any instant, on any calendar", () => {
  it("that was added lies between the two instants, and ends within the hours", () => {
    fc.assert(
      fc.property(calendars, instants, spans, (hours, from, ms) => {
        const to = addWorkingTime(hours, from, ms);
        expect(workingTimeBetween(hours, from, to)).toBe(ms);
        const lastMinute = new Date(to.getTime() - MINUTE_MS);
        expect(workingTimeBetween(hours, lastMinute, to)).toBe(MINUTE_MS);
      }),
    );
  });

  it("adds up", () => {
    fc.assert(
      fc.property(calendars, instants, fc.tuple(spans, spans), (hours, from, [one, other]) => {
        const stepwise = addWorkingTime(hours, addWorkingTime(hours, from, one), other);
        expect(stepwise).toEqual(addWorkingTime(hours, from, one + other));
      }),
    );
  });

  it("is due later, or at the same time, for what begins later", () => {
    fc.assert(
      fc.property(calendars, instants, fc.tuple(spans, spans), (hours, from, [ms, later]) => {
        const due = (start: Date) => addWorkingTime(hours, start, ms).getTime();
        expect(due(from)).toBeLessThanOrEqual(due(new Date(from.getTime() + later)));
      }),
    );
  });
});
