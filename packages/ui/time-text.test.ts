import { describe, expect, it } from "@jest/globals";
import { relativeText } from "./time-text.ts";

const MINUTE_MS = 60_000;

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
