import { describe, expect, it } from "@jest/globals";
import { DateTime } from "luxon";
import { isPublicHoliday } from "./public-holidays.ts";

const isHoliday = (country: string, date: string): boolean =>
  isPublicHoliday(country, DateTime.fromISO(date, { zone: "UTC" }));

describe("public holidays", () => {
  it.each([
    ["US", "2026-11-26", "Thanksgiving"],
    ["US", "2026-07-03", "the substitute of a fourth of July on a Saturday"],
    ["CA", "2026-07-01", "Canada Day"],
    ["GB", "2026-12-28", "the substitute of Boxing Day"],
    ["FR", "2026-05-08", "the victory of 1945"],
    ["DE", "2026-10-03", "German unity"],
    ["ES", "2026-10-12", "the national day"],
    ["AU", "2026-01-26", "Australia Day"],
  ])("%s has %s, %s", (country, date) => {
    expect(isHoliday(country, date)).toBe(true);
  });

  it.each([
    ["GB", "2026-11-26", "another country's"],
    ["US", "2026-11-27", "the day after"],
    ["DE", "2026-11-01", "a holiday of only some states"],
  ])("%s does not have %s, %s", (country, date) => {
    expect(isHoliday(country, date)).toBe(false);
  });

  it("are those of the local day", () => {
    const late = DateTime.fromISO("2026-12-24T23:30:00Z");
    expect(isPublicHoliday("FR", late.setZone("UTC"))).toBe(false);
    expect(isPublicHoliday("FR", late.setZone("Europe/Paris"))).toBe(true);
  });
});
