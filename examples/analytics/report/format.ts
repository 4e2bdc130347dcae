import type { Unit } from "./time-buckets.ts";

const whole = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 0 });
const oneDigit = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 1 });
const day = dateFormat({ day: "numeric", month: "short", year: "numeric" });
const minute = dateFormat({ day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
const month = dateFormat({ month: "short", year: "numeric" });

export const NONE = "–";

function dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat("en-GB", { ...options, timeZone: "UTC" });
}

export function count(value: number): string {
  return whole.format(value);
}

/** "3 orders", "1 order". */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** A share from 0 to 1; a dash where there is nothing to share. */
export function percent(part: number, of: number): string {
  return of === 0 ? NONE : `${oneDigit.format((100 * part) / of)} %`;
}

/** A duration in the unit in which a person would say it. */
export function duration(seconds: number | null): string {
  if (seconds === null) return NONE;
  if (seconds < 10) return `${oneDigit.format(seconds)} s`;
  if (seconds < 90) return `${whole.format(seconds)} s`;
  const minutes = seconds / 60;
  if (minutes < 10) return `${oneDigit.format(minutes)} min`;
  if (minutes < 90) return `${whole.format(minutes)} min`;
  const hours = minutes / 60;
  return hours < 48 ? `${oneDigit.format(hours)} h` : `${oneDigit.format(hours / 24)} d`;
}

export function date(at: Date): string {
  return day.format(at);
}

export function dateTime(at: Date): string {
  return `${day.format(at)}, ${timeOf(at)} UTC`;
}

function timeOf(at: Date): string {
  return at.toISOString().slice(11, 16);
}

/** A step of a time axis. */
export function step(at: Date, unit: Unit): string {
  switch (unit) {
    case "minute":
    case "hour":
      return minute.format(at);
    case "day":
    case "week":
      return day.format(at);
    case "month":
      return month.format(at);
  }
}

const ABBREVIATIONS = /\b(?:btn|foc|loa|pin|sv|url)\b/g;

/** A name of the contract as words: `loa_expired` as "LOA expired". */
export function words(name: string): string {
  const text = name.replaceAll("_", " ").replace(ABBREVIATIONS, (one) => one.toUpperCase());
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Names that stand for something else than a carrier: `manual` for those that are asked by phone or mail. */
const CARRIER_NAMES: ReadonlyMap<string, string> = new Map([
  ["unknown", "Unknown"],
  ["manual", "By phone or mail"],
]);

/** A losing carrier and its country; what is not known has no name. */
export function carrierIn(name: string, country: string | null): string {
  return `${CARRIER_NAMES.get(name) ?? name}, ${country ?? ""}`;
}
