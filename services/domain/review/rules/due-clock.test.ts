import { describe, expect, it } from "@jest/globals";
import { parseWorkingHours } from "../../../platform/calendar/parse-working-hours.ts";
import { dueTimeOf, type DueClock } from "./due-clock.ts";
import type { RecordedVerdict } from "./review-case.ts";

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
