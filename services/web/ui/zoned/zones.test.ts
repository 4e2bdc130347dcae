import { describe, expect, it } from "@jest/globals";
import { instantOf } from "./zoned-time.ts";
import { namedToday } from "./zones.ts";

describe("the list of time zones", () => {
  it("has each zone once, under its name of today", () => {
    expect(namedToday(["UTC", "Europe/Kiev", "Europe/Kyiv", "Asia/Calcutta"])).toStrictEqual([
      "Asia/Kolkata",
      "Europe/Kyiv",
      "UTC",
    ]);
  });

  it("names only zones that can be reckoned in", () => {
    const zones = namedToday(Intl.supportedValuesOf("timeZone"));
    const inZone = (zone: string) => instantOf({ date: "2026-03-02", time: "09:00", zone });
    expect(zones.map(inZone)).not.toContain(null);
  });
});
