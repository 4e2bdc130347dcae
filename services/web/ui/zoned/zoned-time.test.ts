import { describe, expect, it } from "@jest/globals";
import { instantOf, zonedTimeOf } from "./zoned-time.ts";

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
