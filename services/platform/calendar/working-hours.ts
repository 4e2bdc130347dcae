import { DateTime } from "luxon";

/** An open span of a weekday (1 is Monday), in minutes since its midnight; 1,440 is the midnight at its end. */
export interface OpenSpan {
  readonly weekday: number;
  readonly from: number;
  readonly to: number;
}

/** When an office works: spans of its own time zone's weekdays, except on days off. */
export interface WorkingHours {
  readonly timeZone: string;
  /** In sequence, without overlaps; at least one. */
  readonly spans: readonly OpenSpan[];
  readonly isOff: (day: DateTime) => boolean;
}

interface Interval {
  readonly start: number;
  readonly end: number;
}

/** The instant after `ms` of working time; time outside of the hours does not count. */
export function addWorkingTime(hours: WorkingHours, from: Date, ms: number): Date {
  let left = ms;
  for (const { start, end } of openIntervals(hours, from)) {
    if (left <= end - start) return new Date(start + left);
    left -= end - start;
  }
  return from;
}

/** The working time from one instant to another, in milliseconds; 0 if that is not later. */
export function workingTimeBetween(hours: WorkingHours, from: Date, to: Date): number {
  let worked = 0;
  for (const { start, end } of openIntervals(hours, from)) {
    if (start >= to.getTime()) break;
    worked += Math.min(end, to.getTime()) - start;
  }
  return worked;
}

/** The open intervals that end after an instant, the first one cut to begin at it; without end. */
function* openIntervals(hours: WorkingHours, from: Date): Generator<Interval, void> {
  let day: DateTime = DateTime.fromJSDate(from, { zone: hours.timeZone }).startOf("day");
  for (;;) {
    for (const { start, end } of intervalsOn(day, hours)) {
      if (end > from.getTime()) yield { start: Math.max(start, from.getTime()), end };
    }
    day = dayAfter(day);
  }
}

/** Times that a daylight saving change skips are moved behind it, so that a span inside of it is empty. */
function intervalsOn(day: DateTime, { spans, isOff }: WorkingHours): Interval[] {
  const ofDay = spans.filter(({ weekday }) => weekday === day.weekday);
  if (ofDay.length === 0 || isOff(day)) return [];
  return ofDay
    .map(({ from, to }) => ({ start: instantOf(day, from), end: instantOf(day, to) }))
    .filter(({ start, end }) => end > start);
}

const DAY_MINUTES = 1_440;

function instantOf(day: DateTime, minutes: number): number {
  if (minutes === DAY_MINUTES) return dayAfter(day).toMillis();
  return day.set({ hour: Math.floor(minutes / 60), minute: minutes % 60 }).toMillis();
}

/** Some zones' days do not begin at 00:00 when daylight saving time begins. */
function dayAfter(day: DateTime): DateTime {
  return day.plus({ days: 1 }).startOf("day");
}
