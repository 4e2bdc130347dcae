import { createRequire } from "node:module";
import type Holidays from "date-holidays";
import type { DateTime } from "luxon";

const load = createRequire(import.meta.url);

/** The holidays of all countries take 15 MB, in no process that is not asked for any. */
function calendar(): typeof Holidays {
  return load("date-holidays") as typeof Holidays;
}

/** The most country years cached: a handful of countries, and the years that are asked for. */
const MOST_YEARS = 200;
const known = new Map<string, ReadonlySet<string>>();

function holidaysOf(country: string, year: number): ReadonlySet<string> {
  const key = `${country} ${year}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const Calendar = calendar();
  const days = new Calendar(country, { types: ["public"] }).getHolidays(year);
  const dates = new Set(days.map(({ date }) => date.slice(0, "YYYY-MM-DD".length)));
  if (known.size >= MOST_YEARS) known.clear();
  known.set(key, dates);
  return dates;
}

/**
 * Whether the day, in its own time zone, is a nationwide public holiday of the country (ISO 3166-1
 * alpha-2), including substitute days. Data: date-holidays, CC BY 3.0, see NOTICE.
 */
export function isPublicHoliday(country: string, day: DateTime): boolean {
  return holidaysOf(country, day.year).has(day.toFormat("yyyy-MM-dd"));
}

/** Whether the public holidays of a country (ISO 3166-1 alpha-2, capitals) are known. */
export function hasPublicHolidays(country: string): boolean {
  const Calendar = calendar();
  return country in new Calendar().getCountries();
}
