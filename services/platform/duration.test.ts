import { describe, expect, it } from "@jest/globals";
import { parseDuration } from "./duration.ts";

describe("parseDuration", () => {
  it.each([
    ["0s", 0],
    ["250ms", 250],
    ["15s", 15_000],
    ["5m", 300_000],
    ["2h", 7_200_000],
    ["30d", 2_592_000_000],
  ])("reads %s", (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each(["", "15", "s", "1.5s", "-1s", " 1s", "1s ", "1S", "1m30s", "99999999999999999h"])(
    "refuses %j",
    (text) => {
      expect(() => parseDuration(text)).toThrow(
        expect.objectContaining({ code: "invalid_config" }),
      );
    },
  );
});
