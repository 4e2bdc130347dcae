import { DateTime } from "luxon";
import { isPublicHoliday } from "../../../platform/calendar/public-holidays.ts";
import type { Fault } from "../../../platform/errors.ts";
import type { CountryTerms, KindTerms, LeadTime } from "./country-terms.ts";

/** A year without a working day is a mistake in a file, and ends the search. */
const MAX_SEARCH_DAYS = 366;

type IsOff = (day: DateTime) => boolean;

/** The terms of countries as they are now: their own, or what the provider that serves an order says otherwise. */
export interface TermsOf {
  (country: string, provider: string | null): CountryTerms | null;
}

/** An order, as far as its port date depends on it. */
export interface PortFacts {
  readonly country_code: string | null;
  readonly number_type: string | null;
  /** The provider that serves it; null where it is not known. */
  readonly provider: string | null;
  /** A number of the order, whose zone counts. */
  readonly phone_number: string;
  /** How many numbers it has. */
  readonly numbers: number;
  /** What was given, by slug. */
  readonly values: ReadonlyMap<string, string | null>;
}

/** What decides an order's port dates. */
export interface PortTerms {
  readonly zone: string;
  /** The hour and minute, as 13:00. */
  readonly cutOff: string;
  /** Working days that the losing carrier needs, and the days of the week that are counted. */
  readonly lead: { readonly days: number; readonly counts: readonly number[] };
  readonly days: readonly number[];
  readonly windows: KindTerms["windows"];
  readonly isOff: IsOff;
}

/** The terms of an order; null for a kind that cannot be ordered. */
export function portTermsOf(termsOf: TermsOf, facts: PortFacts): PortTerms | null {
  const terms = termsOf(facts.country_code ?? "", facts.provider);
  const kinds: Partial<Record<string, KindTerms>> = terms?.kinds ?? {};
  const kind = kinds[facts.number_type ?? ""];
  // The last lead time has no condition.
  const lead = kind?.lead_times.find((rule) => holdsFor(rule, facts));
  if (terms === null || kind === undefined || lead === undefined) return null;
  const { of, dates } = terms.holidays;
  const zone = zoneOf(terms, facts.phone_number);
  const regions = zone?.regions ?? terms.holidays.regions;
  return {
    zone: zone?.time_zone ?? terms.time_zone,
    cutOff: terms.cut_off,
    lead: { days: lead.days, counts: lead.counts ?? kind.days },
    days: kind.days,
    windows: kind.windows,
    isOff: (day) => isPublicHoliday(of, day, regions) || dates.includes(dayOf(day)),
  };
}

/** The zone of a number, by its longest listed prefix; null for the country's main one. */
export function zoneOf(
  { zones }: CountryTerms,
  phoneNumber: string,
): CountryTerms["zones"][number] | null {
  let longest = "";
  let found = null;
  for (const zone of zones) {
    for (const prefix of zone.prefixes) {
      if (prefix.length <= longest.length || !phoneNumber.startsWith(prefix)) continue;
      longest = prefix;
      found = zone;
    }
  }
  return found;
}

/** A value that is not given holds for no condition, so that an order without values has the terms of any other. */
function holdsFor({ when = {} }: LeadTime, { numbers, values }: PortFacts): boolean {
  const { numbers_from: from = 0, numbers_to: to = Infinity } = when;
  const isGiven = ([slug, options]: [string, string[]]): boolean =>
    options.includes(values.get(slug) ?? "");
  return numbers >= from && numbers <= to && Object.entries(when.values ?? {}).every(isGiven);
}

function isWorkingDay(day: DateTime, { days, isOff }: Pick<PortTerms, "days" | "isOff">): boolean {
  return days.includes(day.weekday) && !isOff(day);
}

/** The nth working day after the given one, at the same local time. */
function addWorkingDays(
  day: DateTime,
  count: number,
  terms: Pick<PortTerms, "days" | "isOff">,
): DateTime {
  let found = day;
  let left = count;
  for (let n = 0; n < MAX_SEARCH_DAYS && left > 0; n += 1) {
    found = found.plus({ days: 1 });
    if (isWorkingDay(found, terms)) left -= 1;
  }
  return found;
}

function dayOf(day: DateTime): string {
  return day.toFormat("yyyy-MM-dd");
}

/** When numbers can be moved, both ends in the number's zone. */
interface FocWindow {
  readonly opens: DateTime;
  readonly closes: DateTime;
}

function windowsOn(day: DateTime, terms: PortTerms): readonly FocWindow[] {
  if (!isWorkingDay(day, terms)) return [];
  return terms.windows.map(({ from, to }) => ({
    opens: atTime(day, from),
    closes: atTime(day, to),
  }));
}

function atTime(day: DateTime, time: string): DateTime {
  const [hour, minute] = time.split(":").map(Number);
  return day.startOf("day").set({ hour: hour ?? 0, minute: minute ?? 0 });
}

/** The windows from a moment on, in their order. */
function* windowsFrom(from: DateTime, terms: PortTerms): Generator<FocWindow, undefined> {
  for (let n = 0; n < MAX_SEARCH_DAYS; n += 1) {
    for (const window of windowsOn(from.plus({ days: n }), terms)) {
      if (window.closes >= from) yield window;
    }
  }
  return undefined;
}

/** The earliest moment of an order's move if the carrier received it now. */
function earliestOf(terms: PortTerms, now: Date): DateTime {
  const local = DateTime.fromJSDate(now, { zone: terms.zone });
  const counted = { days: terms.lead.counts, isOff: terms.isOff };
  const isInTime = isWorkingDay(local, counted) && local < atTime(local, terms.cutOff);
  const received = isInTime ? local : addWorkingDays(local, 1, counted);
  const day = addWorkingDays(received, terms.lead.days, counted).startOf("day");
  // A lead time of none: what has passed of today is no choice any more.
  const from = day < local ? local : day;
  return openingFrom(from, terms);
}

/** The moment itself if it lies in a window, else when the next one opens. */
function openingFrom(from: DateTime, terms: PortTerms): DateTime {
  const { value: window } = windowsFrom(from, terms).next();
  if (window === undefined) throw new RangeError("no working day in a year");
  return window.opens > from ? window.opens : from;
}

/** The earliest FOC date as ISO 8601 with the offset of the number's zone; null for a kind that cannot be ordered. */
export function earliestFoc(terms: PortTerms | null, now: Date): string | null {
  return terms === null ? null : textOf(earliestOf(terms, now));
}

/** Windows in which an order's numbers can be moved, from the earliest date on and within the span, as ISO 8601. */
export function allowedFocWindows(
  terms: PortTerms,
  { now, from, until }: { readonly now: Date; readonly from: Date; readonly until: Date },
): { readonly opens_at: string; readonly closes_at: string }[] {
  const earliest = earliestOf(terms, now);
  const begin = DateTime.max(earliest, DateTime.fromJSDate(from, { zone: terms.zone }));
  const found = [];
  for (const { opens, closes } of windowsFrom(begin, terms)) {
    if (opens.toMillis() > until.getTime()) break;
    found.push({ opens_at: textOf(DateTime.max(opens, earliest)), closes_at: textOf(closes) });
  }
  return found;
}

const ALTERNATIVES = 3;

/** The fault of a requested date at which an order's numbers cannot be moved; it names the next three that are possible. */
export function findFocFault(
  terms: PortTerms | null,
  wanted: string | null,
  now: Date,
): Fault | null {
  const openings = terms === null || wanted === null ? null : otherOpenings(terms, wanted, now);
  if (openings === null) return null;
  const detail = `No numbers are moved then. The next possible times: ${openings.join(", ")}.`;
  return { pointer: "#/foc_requested", code: "foc_not_possible", detail };
}

/** The next three openings for a date at which nothing can be moved; null if the date is possible. */
function otherOpenings(terms: PortTerms, wanted: string, now: Date): readonly string[] | null {
  const earliest = earliestOf(terms, now);
  const asked = DateTime.fromISO(wanted, { zone: terms.zone });
  const from = DateTime.max(earliest, asked);
  const openings: string[] = [];
  for (const { opens } of windowsFrom(from, terms)) {
    const opening = DateTime.max(opens, earliest);
    if (openings.length === 0 && opening <= asked) return null;
    openings.push(textOf(opening));
    if (openings.length === ALTERNATIVES) break;
  }
  return openings;
}

function textOf(date: DateTime): string {
  return date.toISO({ suppressMilliseconds: true }) ?? "";
}

/** The lead time in days where neither carriers nor the law define a minimum. */
const DEFAULT_DAYS = 7;

/**
 * The FOC date that a losing carrier confirms: the one that is wanted where it can be kept, else when the next window opens,
 * and never one before `earliestFoc`. `terms` are null for numbers of no country that can be ordered.
 */
export function confirmedFoc(
  terms: PortTerms | null,
  { wanted, requestedAt }: { readonly wanted: string | null; readonly requestedAt: Date },
): string {
  if (terms === null) {
    const earliest = DateTime.fromJSDate(requestedAt, { zone: "UTC" }).plus({ days: DEFAULT_DAYS });
    const isKept = wanted !== null && Date.parse(wanted) >= earliest.toMillis();
    return isKept ? wanted : textOf(earliest);
  }
  const earliest = earliestOf(terms, requestedAt);
  if (wanted === null || Date.parse(wanted) < earliest.toMillis()) return textOf(earliest);
  return keptOr(wanted, terms);
}

const DAYS_LATER = 7;

/** A week after a confirmed date at the same hour where the number is, or when the next window opens. */
export function movedFoc(confirmed: string, terms: PortTerms | null): string {
  const zone = terms === null ? { setZone: true } : { zone: terms.zone };
  const date = textOf(DateTime.fromISO(confirmed, zone).plus({ days: DAYS_LATER }));
  return terms === null ? date : keptOr(date, terms);
}

/** The date as it is written if numbers can be moved then, else when the next window opens. */
function keptOr(date: string, terms: PortTerms): string {
  const asked = DateTime.fromISO(date, { zone: terms.zone });
  const opening = openingFrom(asked, terms);
  return opening.toMillis() === asked.toMillis() ? date : textOf(opening);
}
