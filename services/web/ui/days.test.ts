import { describe, expect, it } from "@jest/globals";
import { dayOf, startOfDay } from "./days.ts";

const ZONE = "America/New_York";

describe("a day of a zone", () => {
  it("follows the one before, however many hours that has", () => {
    expect(dayOf(1, Date.parse("2026-11-01T00:10:00-04:00"), ZONE)).toBe("2026-11-02");
    expect(dayOf(1, Date.parse("2026-03-07T23:30:00-05:00"), ZONE)).toBe("2026-03-08");
    expect(dayOf(-7, Date.parse("2026-03-14T00:30:00-04:00"), ZONE)).toBe("2026-03-07");
    expect(dayOf(0, Date.parse("2026-12-31T23:59:00-05:00"), ZONE)).toBe("2026-12-31");
  });

  it("starts at midnight there", () => {
    expect(startOfDay("2026-03-08", ZONE)).toBe("2026-03-08T05:00:00.000Z");
    expect(startOfDay("2026-03-09", ZONE)).toBe("2026-03-09T04:00:00.000Z");
  });

  it("is none where the URL holds something else", () => {
    expect(startOfDay("", ZONE)).toBe("");
    expect(startOfDay("yesterday", ZONE)).toBe("");
  });
});
