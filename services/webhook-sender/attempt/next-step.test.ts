import { describe, expect, it } from "@jest/globals";

import { nextStep } from "./attempt.ts";

const endedAt = new Date("2026-03-01T12:00:00.000Z");
const delaysMs = [60_000, 300_000];

describe("the next step after a failed attempt", () => {
  it("uses each delay of the schedule in order, counted from the attempt's end", () => {
    expect(nextStep({ attemptCount: 1, single: false, endedAt }, delaysMs)).toEqual({
      trigger: "attempt_failed",
      dueAt: new Date("2026-03-01T12:01:00.000Z"),
      step: 0,
    });
    expect(nextStep({ attemptCount: 2, single: false, endedAt }, delaysMs)).toEqual({
      trigger: "attempt_failed",
      dueAt: new Date("2026-03-01T12:05:00.000Z"),
      step: 1,
    });
  });

  it("is failure after the last delay, and at once with an empty schedule", () => {
    const failed = { trigger: "last_attempt_failed" };
    expect(nextStep({ attemptCount: 3, single: false, endedAt }, delaysMs)).toEqual(failed);
    expect(nextStep({ attemptCount: 1, single: false, endedAt }, [])).toEqual(failed);
  });

  it("is failure for an attempt that was requested manually", () => {
    const failed = { trigger: "last_attempt_failed" };
    expect(nextStep({ attemptCount: 1, single: true, endedAt }, delaysMs)).toEqual(failed);
  });
});
