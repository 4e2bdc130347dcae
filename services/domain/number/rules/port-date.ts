import { DateTime } from "luxon";
import { isPublicHoliday } from "../../../platform/calendar/public-holidays.ts";
import { findCountry } from "../../countries/countries.ts";
import { DEFAULT_DAYS, type LeadTime, type PortingCalendar } from "../../countries/country.ts";
import { NUMBER_TYPES, type NumberType } from "../../countries/number-type.ts";
import { classifyNumber } from "./classify-number.ts";

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

export interface PortedKind {
  readonly country_code: string;
  readonly number_type: NumberType;
}

/** What decides a kind's port dates. */
interface Terms {
  readonly calendar: PortingCalendar;
  readonly lead: LeadTime;
}

function termsOf({ country_code, number_type }: PortedKind): Terms | null {
  const country = findCountry(country_code);
  const lead = country?.types[number_type]?.leadTime;
  return country === null || lead === undefined ? null : { calendar: country.calendar, lead };
}

/**
 * The earliest FOC date for an order of the kind if the carrier received it now, as ISO 8601 with the offset of the
 * country's main zone; null for a kind that cannot be ordered. Weekends and public holidays are skipped.
 */
export function earliestFoc(kind: PortedKind, now: Date): string | null {
  const terms = termsOf(kind);
  return terms === null ? null : textOf(earliestOf(terms, now));
}

function earliestOf({ calendar, lead }: Terms, now: Date): DateTime {
  const isOff = daysOffOf(calendar);
  const local = DateTime.fromJSDate(now, { zone: calendar.timeZone });
  const isInTime = isBusinessDay(local, isOff) && local.hour < calendar.cutOffHour;
  const received = isInTime ? local : addBusinessDays(local, 1, isOff);
  return addBusinessDays(received, lead.days, isOff).startOf("day").set({ hour: lead.hour });
}

function daysOffOf({ holidaysOf }: PortingCalendar): (day: DateTime) => boolean {
  return (day) => isPublicHoliday(holidaysOf, day);
}

function textOf(date: DateTime): string {
  return date.toISO({ suppressMilliseconds: true }) ?? "";
}

/** What an order asks of its losing carrier. */
interface AskedDate {
  /** A number of the order, which has the kind of all. */
  readonly phoneNumber: string;
  /** The order's type; null, or a word that is not a type, where it is not known. */
  readonly numberType: string | null;
  readonly requestedAt: Date;
  /** ISO 8601 with an offset; null for any date. */
  readonly wanted: string | null;
}

/**
 * The FOC date that a losing carrier confirms: the one that is wanted where it can be kept, else the next business day's,
 * and never one before `earliestFoc`.
 */
export function confirmedFoc({ wanted, ...asked }: AskedDate): string {
  const terms = laterTerms(asked);
  const earliest =
    terms === null
      ? DateTime.fromJSDate(asked.requestedAt, { zone: "UTC" }).plus({ days: DEFAULT_DAYS })
      : earliestOf(terms, asked.requestedAt);
  if (wanted === null || Date.parse(wanted) < earliest.toMillis()) return textOf(earliest);
  return onBusinessDay(wanted, terms);
}

const DAYS_LATER = 7;

/** A week after a confirmed date at the same hour where the number is, or on the next business day. */
export function movedFoc(confirmed: string, asked: Omit<AskedDate, "wanted">): string {
  const terms = laterTerms(asked);
  const zone = terms === null ? { setZone: true } : { zone: terms.calendar.timeZone };
  const date = DateTime.fromISO(confirmed, zone).plus({ days: DAYS_LATER });
  return onBusinessDay(textOf(date), terms);
}

/** The date itself if carriers work on that day where the number is, else the next such day at the opening hour. */
function onBusinessDay(date: string, terms: Terms | null): string {
  if (terms === null) return date;
  const { calendar, lead } = terms;
  const isOff = daysOffOf(calendar);
  const local = DateTime.fromISO(date, { zone: calendar.timeZone });
  if (isBusinessDay(local, isOff)) return date;
  return textOf(addBusinessDays(local, 1, isOff).startOf("day").set({ hour: lead.hour }));
}

/** The terms of the order's kind, of several possible kinds those of the longest; null if it cannot be ordered. */
function laterTerms({
  phoneNumber,
  numberType,
  requestedAt,
}: Omit<AskedDate, "wanted">): Terms | null {
  const classified = classifyNumber(phoneNumber);
  const planned = classified?.number_type ?? null;
  const types = planned === null ? openTypes(numberType) : planned === "other" ? [] : [planned];
  const known = types
    .map((number_type) => termsOf({ country_code: classified?.country_code ?? "", number_type }))
    .filter((terms) => terms !== null)
    .map((terms) => ({ terms, at: earliestOf(terms, requestedAt).toMillis() }));
  return known.sort((one, other) => other.at - one.at)[0]?.terms ?? null;
}

/** The type where the numbering plan leaves it open. */
function openTypes(numberType: string | null): readonly NumberType[] {
  const known = NUMBER_TYPES.filter((type) => type === numberType);
  return known.length === 0 ? ["local", "mobile"] : known;
}
