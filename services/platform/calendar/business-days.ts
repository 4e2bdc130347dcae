import type { DateTime } from "luxon";

const LAST_WEEKDAY = 5;

/** Whether the day, in its own time zone, is from Monday to Friday and not a day off. */
export function isBusinessDay(day: DateTime, isOff: (day: DateTime) => boolean): boolean {
  return day.weekday <= LAST_WEEKDAY && !isOff(day);
}

/** The nth business day after the given one, at the same local time. @throws where the calendar does not have the day */
export function addBusinessDays(
  day: DateTime,
  count: number,
  isOff: (day: DateTime) => boolean,
): DateTime {
  // No day would ever be found after it.
  if (!day.isValid) throw new RangeError(`no day: ${day.invalidReason}`);
  let found = day;
  for (let left = count; left > 0;) {
    found = found.plus({ days: 1 });
    if (isBusinessDay(found, isOff)) left -= 1;
  }
  return found;
}
