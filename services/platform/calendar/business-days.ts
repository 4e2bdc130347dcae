import type { DateTime } from "luxon";

const LAST_WEEKDAY = 5;

/** Whether the day, in its own zone, is one from Monday to Friday and none of those that are off besides. */
export function isBusinessDay(day: DateTime, isOff: (day: DateTime) => boolean): boolean {
  return day.weekday <= LAST_WEEKDAY && !isOff(day);
}

/** The n-th business day after the day, at the same time of its zone. */
export function addBusinessDays(
  day: DateTime,
  count: number,
  isOff: (day: DateTime) => boolean,
): DateTime {
  let found = day;
  for (let left = count; left > 0;) {
    found = found.plus({ days: 1 });
    if (isBusinessDay(found, isOff)) left -= 1;
  }
  return found;
}
