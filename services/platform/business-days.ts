import type { DateTime } from "luxon";

const LAST_WEEKDAY = 5;

/** Whether the day, in its own zone, is one from Monday to Friday. Holidays are not known here. */
export function isBusinessDay(day: DateTime): boolean {
  return day.weekday <= LAST_WEEKDAY;
}

/** The n-th business day after the day, at the same time of its zone. */
export function addBusinessDays(day: DateTime, count: number): DateTime {
  let found = day;
  for (let left = count; left > 0;) {
    found = found.plus({ days: 1 });
    if (isBusinessDay(found)) left -= 1;
  }
  return found;
}
