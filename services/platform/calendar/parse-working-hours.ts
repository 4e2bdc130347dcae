import { AppError } from "../errors.ts";
import type { OpenSpan } from "./working-hours.ts";

const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;
const DAY = DAYS.join("|");
const ITEM = new RegExp(`^(${DAY})(?:-(${DAY}))? (\\d{2}):([0-5]\\d)-(\\d{2}):([0-5]\\d)$`);
const LAST_MINUTE = 24 * 60;

/**
 * Reads `Mon-Fri 08:00-18:00`: days with hours, several separated by commas; `24:00` is the end of a day.
 * @throws `invalid_config`
 */
export function parseWorkingHours(text: string): OpenSpan[] {
  const spans = text.split(",").flatMap((item) => spansOf(item.trim()));
  const sorted = spans.toSorted((one, other) => startOf(one) - startOf(other));
  const twice = sorted.find((span, n) => {
    const before = sorted[n - 1];
    return before?.weekday === span.weekday && before.to > span.from;
  });
  if (twice !== undefined) {
    throw invalid(`the hours of ${DAYS[twice.weekday - 1] ?? ""} overlap`);
  }
  return sorted;
}

function startOf({ weekday, from }: OpenSpan): number {
  return weekday * LAST_MINUTE + from;
}

function spansOf(item: string): OpenSpan[] {
  const [, first = "", last = first, ...times] = ITEM.exec(item) ?? [];
  const [fromHour, fromMinute, toHour, toMinute] = times.map(Number);
  const from = minutesOf(fromHour, fromMinute);
  const to = minutesOf(toHour, toMinute);
  if (from === null || to === null) {
    throw invalid("expected days with hours such as Mon-Fri 08:00-18:00, Sat 09:00-12:00");
  }
  if (to <= from) throw invalid("hours must end after they begin, on the same day, by 24:00");
  return daysBetween(first, last).map((weekday) => ({ weekday, from, to }));
}

function minutesOf(hour: number | undefined, minute: number | undefined): number | null {
  if (hour === undefined || minute === undefined) return null;
  const minutes = hour * 60 + minute;
  return minutes <= LAST_MINUTE ? minutes : null;
}

/** The weekdays from one to another, over the end of the week if need be. */
function daysBetween(first: string, last: string): number[] {
  const from = DAYS.findIndex((day) => day === first);
  const count = (DAYS.findIndex((day) => day === last) - from + DAYS.length) % DAYS.length;
  return Array.from({ length: count + 1 }, (_, n) => ((from + n) % DAYS.length) + 1);
}

function invalid(detail: string): AppError {
  return new AppError("invalid_config", detail);
}
