import { DateTime, IANAZone } from "luxon";
import { z } from "zod";
import type { ReviewCase } from "../domain/review/rules/review-case.ts";
import { hasPublicHolidays, isPublicHoliday } from "../platform/calendar/public-holidays.ts";
import { AppError } from "../platform/errors.ts";

/** An open span of a weekday (1 is Monday), in minutes since its midnight; 1,440 is the midnight at its end. */
interface OpenSpan {
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

/** When the desk works, which is when its time to decide runs. */
export const deskHoursShape = {
  DESK_HOURS: z
    .string()
    .default("Mon-Fri 08:00-18:00")
    .transform((text, context): OpenSpan[] => {
      try {
        return parseWorkingHours(text);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        context.addIssue(error.message);
        return z.NEVER;
      }
    }),
  DESK_TIME_ZONE: z
    .string()
    .refine((zone) => IANAZone.isValidZone(zone), "expected a time zone such as Europe/Paris")
    .default("UTC"),
  /** Whose public holidays the desk observes; none unless given. */
  DESK_COUNTRY: z
    .string()
    .refine(hasPublicHolidays, "expected a country of two capital letters such as US")
    .optional(),
};

interface DeskHoursConfig {
  readonly DESK_HOURS: readonly OpenSpan[];
  readonly DESK_TIME_ZONE: string;
  readonly DESK_COUNTRY?: string | undefined;
}

export function deskHoursOf(config: DeskHoursConfig): WorkingHours {
  const { DESK_HOURS: spans, DESK_TIME_ZONE: timeZone, DESK_COUNTRY: country } = config;
  const isOff: WorkingHours["isOff"] = (day) =>
    country !== undefined && isPublicHoliday(country, day);
  return { spans, timeZone, isOff };
}

/** The desk's time to decide, in milliseconds, and the hours in which it counts. */
export interface DueClock {
  readonly dueMs: number;
  readonly hours: WorkingHours;
}

type EarlierCase = Pick<ReviewCase, "state" | "decisions" | "decided_at" | "due_at">;

/**
 * When the desk's decision on a submission is due. The clock stands still while the customer corrects what the desk
 * rejected, and goes on with the time that was left; otherwise it starts from the beginning.
 */
export function dueTimeOf(
  { dueMs, hours }: DueClock,
  submittedAt: Date,
  before: EarlierCase | null,
): Date {
  const rejectedAt = before === null ? null : rejectionTimeOf(before);
  const left =
    before === null || rejectedAt === null
      ? dueMs
      : workingTimeBetween(hours, rejectedAt, before.due_at);
  return addWorkingTime(hours, submittedAt, left);
}

function rejectionTimeOf({ state, decisions, decided_at: at }: EarlierCase): Date | null {
  const isRejected = decisions.some(({ decision }) => decision === "reject");
  return state === "decided" && isRejected ? at : null;
}
