import { describe, expect, it } from "@jest/globals";
import { dayOf, instantOf, namedToday, startOfDay, zonedTimeOf } from "./zoned-time.ts";

const at = (date: string, time: string, zone: string) => instantOf({ date, time, zone });

describe("a time in a zone", () => {
  it("has the zone's offset on that day", () => {
    expect(at("2026-03-02", "09:00", "America/New_York")).toBe("2026-03-02T09:00:00-05:00");
    expect(at("2026-07-02", "09:00", "America/New_York")).toBe("2026-07-02T09:00:00-04:00");
    expect(at("2026-07-02", "09:00", "UTC")).toBe("2026-07-02T09:00:00+00:00");
    expect(at("2026-01-15", "08:30", "Australia/Adelaide")).toBe("2026-01-15T08:30:00+10:30");
  });

  it("has the right offset on both sides of a change of the clocks", () => {
    expect(at("2026-03-29", "01:59", "Europe/Berlin")).toBe("2026-03-29T01:59:00+01:00");
    expect(at("2026-03-29", "03:00", "Europe/Berlin")).toBe("2026-03-29T03:00:00+02:00");
    expect(at("2026-11-01", "03:00", "America/New_York")).toBe("2026-11-01T03:00:00-05:00");
  });

  it("keeps a mistyped year, which the service refuses with its own sentence", () => {
    expect(at("2062-03-02", "09:00", "UTC")).toBe("2062-03-02T09:00:00+00:00");
    expect(at("0026-03-02", "09:00", "UTC")).toBe("0026-03-02T09:00:00+00:00");
  });

  it("is null while it is incomplete", () => {
    expect(at("", "09:00", "UTC")).toBeNull();
    expect(at("2026-03-02", "", "UTC")).toBeNull();
  });

  it("is read back as date and time of the zone", () => {
    const ms = Date.parse("2026-03-02T09:30:00-05:00");
    expect(zonedTimeOf(ms, "America/New_York")).toStrictEqual({
      date: "2026-03-02",
      time: "09:30",
      zone: "America/New_York",
    });
    expect(zonedTimeOf(ms, "Asia/Tokyo").date).toBe("2026-03-02");
    expect(zonedTimeOf(ms, "Asia/Tokyo").time).toBe("23:30");
  });
});

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
