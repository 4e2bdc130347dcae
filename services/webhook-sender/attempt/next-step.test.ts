import { describe, expect, it } from "@jest/globals";

import { nextStep } from "./next-step.ts";

const endedAt = new Date("2026-03-01T12:00:00.000Z");
const delaysMs = [60_000, 300_000];

describe("what follows a failed attempt", () => {
  it("is each delay of the schedule in turn, counted from the attempt's end", () => {
    expect(nextStep({ attemptCount: 1, single: false, endedAt }, delaysMs)).toEqual({
      status: "retrying",
      dueAt: new Date("2026-03-01T12:01:00.000Z"),
      step: 0,
    });
    expect(nextStep({ attemptCount: 2, single: false, endedAt }, delaysMs)).toEqual({
      status: "retrying",
      dueAt: new Date("2026-03-01T12:05:00.000Z"),
      step: 1,
    });
  });

  it("is the end after the last delay, and at once without a schedule", () => {
    const failed = { status: "failed" };
    expect(nextStep({ attemptCount: 3, single: false, endedAt }, delaysMs)).toEqual(failed);
    expect(nextStep({ attemptCount: 1, single: false, endedAt }, [])).toEqual(failed);
  });

  it("is the end for an attempt that was asked for by hand", () => {
    const failed = { status: "failed" };
    expect(nextStep({ attemptCount: 1, single: true, endedAt }, delaysMs)).toEqual(failed);
  });
});
