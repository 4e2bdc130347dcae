import { describe, expect, it } from "@jest/globals";
import { isOpenAt } from "./routes.ts";

const NEW_YORK = {
  time_zone: "America/New_York",
  days: [1, 2, 3, 4, 5],
  from: "08:00",
  to: "17:00",
};
const ALWAYS = { time_zone: "UTC", days: [1, 2, 3, 4, 5, 6, 7], from: "00:00", to: "24:00" };

describe("business hours", () => {
  it.each([
    ["2026-11-23T12:59:00Z", false],
    ["2026-11-23T13:00:00Z", true],
    ["2026-11-23T21:59:00Z", true],
    ["2026-11-23T22:00:00Z", false],
    ["2026-11-22T15:00:00Z", false],
    ["2026-11-24T00:30:00Z", false],
  ])("of New York at %s: %s", (at, isOpen) => {
    expect(isOpenAt(NEW_YORK, new Date(at))).toBe(isOpen);
    expect(isOpenAt(ALWAYS, new Date(at))).toBe(true);
  });
});
