import { createRequire } from "node:module";
import type Holidays from "date-holidays";
import type { DateTime } from "luxon";

const load = createRequire(import.meta.url);

/** The holidays of all countries take 15 MB, in no process that is not asked for any. */
function calendar(): typeof Holidays {
  return load("date-holidays") as typeof Holidays;
}

/** The most years cached: a handful of countries with their regions, and the years that are asked for. */
const MOST_YEARS = 500;
const known = new Map<string, ReadonlySet<string>>();

function holidaysOf(
  place: readonly [country: string, region?: string],
  year: number,
): ReadonlySet<string> {
  const key = `${place.join(" ")} ${year}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const Calendar = calendar();
  const [country, region = ""] = place;
  const days = new Calendar(country, region, { types: ["public"] }).getHolidays(year);
  const dates = new Set(days.map(({ date }) => date.slice(0, "YYYY-MM-DD".length)));
  if (known.size >= MOST_YEARS) known.clear();
  known.set(key, dates);
  return dates;
}

/**
 * Whether the day, in its own time zone, is a public holiday of the country (ISO 3166-1 alpha-2), nationwide or in one of the
 * regions, including substitute days. Data: date-holidays, CC BY 3.0, see NOTICE.
 */
export function isPublicHoliday(
  country: string,
  day: DateTime,
  regions: readonly string[] = [],
): boolean {
  const date = day.toFormat("yyyy-MM-dd");
  const places: [string, string?][] = [
    [country],
    ...regions.map((one): [string, string] => [country, one]),
  ];
  return places.some((place) => holidaysOf(place, day.year).has(date));
}

/** The regions of a country whose holidays are known, as ISO 3166-2 without the country. */
export function holidayRegionsOf(country: string): readonly string[] {
  const Calendar = calendar();
  return Object.keys(new Calendar().getStates(country));
}

/** Whether the public holidays of a country (ISO 3166-1 alpha-2, capitals) are known. */
export function hasPublicHolidays(country: string): boolean {
  const Calendar = calendar();
  return country in new Calendar().getCountries();
}
