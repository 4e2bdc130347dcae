import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { DateTime } from "luxon";
import type { RecordedVerdict } from "../domain/review/rules/review-case.ts";
import { isPublicHoliday } from "../platform/calendar/public-holidays.ts";
import {
  addWorkingTime,
  dueTimeOf,
  parseWorkingHours,
  workingTimeBetween,
  type DueClock,
  type WorkingHours,
} from "./desk-hours.ts";

const read = (text: string): string[] =>
  parseWorkingHours(text).map(({ weekday, from, to }) => `${weekday} ${from}-${to}`);

describe("the hours of an office", () => {
  it("are days with spans", () => {
    expect(read("Mon-Fri 08:00-18:00")).toEqual([1, 2, 3, 4, 5].map((day) => `${day} 480-1080`));
    expect(read("Sat 09:30-12:00, Fri 13:00-24:00,Fri 08:00-12:00")).toEqual([
      "5 480-720",
      "5 780-1440",
      "6 570-720",
    ]);
  });

  it("may run over the end of the week, and be every hour of it", () => {
    expect(read("Sat-Mon 10:00-11:00")).toEqual(["1 600-660", "6 600-660", "7 600-660"]);
    expect(read("Mon-Sun 00:00-24:00")).toHaveLength(7);
  });

  it.each([
    ["", "expected days"],
    ["Mon-Fri", "expected days"],
    ["mon-fri 08:00-18:00", "expected days"],
    ["Mon 8:00-18:00", "expected days"],
    ["Mon 08:00-24:01", "expected days"],
    ["Mon 08:60-18:00", "expected days"],
    ["Mon 08:00-18:00,", "expected days"],
    ["Mon 18:00-08:00", "must end after"],
    ["Mon 08:00-08:00", "must end after"],
    ["Mon-Wed 08:00-12:00, Tue 11:00-13:00", "the hours of Tue overlap"],
  ])("are not %j: %s", (text, message) => {
    expect(() => parseWorkingHours(text)).toThrow(message);
  });
});

const HOUR_MS = 3_600_000;
const clock: DueClock = {
  dueMs: 8 * HOUR_MS,
  hours: {
    spans: parseWorkingHours("Mon-Fri 08:00-18:00"),
    timeZone: "UTC",
    isOff: (day) => day.toISODate() === "2026-03-06",
  },
};

const at = (text: string): Date => new Date(`2026-03-${text}:00.000Z`);

function verdict(decision: "approve" | "reject"): RecordedVerdict {
  return { slug: "loa", decision, code: null, reason: null, operator_id: "ada", at: "" };
}

/** A case of Monday the 2nd, due at 16:00, that was decided after three hours. */
function decided(decision: "approve" | "reject") {
  const times = { due_at: at("02T16:00"), decided_at: at("02T11:00") };
  return { state: "decided", decisions: [verdict(decision)], ...times } as const;
}

describe("the due time of a case", () => {
  it.each([
    ["02T08:00", "02T16:00", "within a day"],
    ["02T12:00", "03T10:00", "over a night"],
    ["05T12:00", "09T10:00", "over a day off and a weekend"],
    ["07T12:00", "09T16:00", "from a Saturday"],
    ["02T20:00", "03T16:00", "from an evening"],
  ])("of a submission at %s is %s, %s", (submitted, due) => {
    expect(dueTimeOf(clock, at(submitted), null)).toEqual(at(due));
  });

  it("goes on with the time that was left when the desk rejected, however long the customer took", () => {
    expect(dueTimeOf(clock, at("04T09:00"), decided("reject"))).toEqual(at("04T14:00"));
    expect(dueTimeOf(clock, at("07T09:00"), decided("reject"))).toEqual(at("09T13:00"));
  });

  it("is the submission itself where the desk had rejected too late", () => {
    const late = { ...decided("reject"), decided_at: at("03T09:00") };
    expect(dueTimeOf(clock, at("04T09:00"), late)).toEqual(at("04T09:00"));
  });

  it("starts from the beginning after a case that went to the carrier or was withdrawn", () => {
    const whole = at("04T17:00");
    expect(dueTimeOf(clock, at("04T09:00"), decided("approve"))).toEqual(whole);
    const withdrawn = { ...decided("approve"), state: "withdrawn", decided_at: null } as const;
    expect(dueTimeOf(clock, at("04T09:00"), withdrawn)).toEqual(whole);
  });
});

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
