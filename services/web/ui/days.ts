import { browserZone, instantOf, zonedTimeOf } from "./zoned/zoned-time.ts";

/** The calendar day of a zone that many days from today: `2026-03-02`. A day has 23 or 25 hours when clocks change. */
export function dayOf(days: number, now = Date.now(), zone = browserZone()): string {
  const day = new Date(`${zonedTimeOf(now, zone).date}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() + days);
  return day.toISOString().slice(0, 10);
}

/** When a day starts in a zone, as ISO 8601; empty for what is not a day. */
export function startOfDay(day: string, zone = browserZone()): string {
  const start = Date.parse(instantOf({ date: day, time: "00:00", zone }) ?? "");
  return Number.isNaN(start) ? "" : new Date(start).toISOString();
}
