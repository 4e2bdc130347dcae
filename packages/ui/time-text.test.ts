import { describe, expect, it } from "@jest/globals";
import { relativeText, timeText, withTimeTexts } from "./time-text.ts";

const MINUTE_MS = 60_000;

describe("what the service says", () => {
  it("has its times as people read them", () => {
    const at = "2026-12-08T10:00:00.000-05:00";
    expect(withTimeTexts(`Possible: ${at}, 2026-12-09T10:00Z.`)).toBe(
      `Possible: ${timeText(at)}, ${timeText("2026-12-09T10:00Z")}.`,
    );
  });
});

describe("a time relative to now", () => {
  it.each([
    [-1_000, "less than a minute ago"],
    [0, "less than a minute ago"],
    [20_000, "less than a minute ago"],
    [3 * MINUTE_MS, "less than a minute ago"],
    [-3 * MINUTE_MS, "3 min ago"],
  ])("of what has happened is never to come: %d ms", (ms, text) => {
    expect(relativeText(ms, true)).toBe(text);
  });

  it.each([
    [20_000, "in less than a minute"],
    [3 * MINUTE_MS, "in 3 min"],
    [-20_000, "less than a minute ago"],
  ])("of a deadline is ahead until it has passed: %d ms", (ms, text) => {
    expect(relativeText(ms, false)).toBe(text);
  });
});
