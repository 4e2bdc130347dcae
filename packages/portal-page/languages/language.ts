/** The languages of the end user's page, each under the name that it has itself. */
export const LANGUAGES = {
  en: "English",
  de: "Deutsch",
  fr: "Français",
  es: "Español",
} as const;

export type Language = keyof typeof LANGUAGES;

export function isLanguage(text: string): text is Language {
  return Object.hasOwn(LANGUAGES, text);
}

interface Wishes {
  /** Of the link: `?lang=`. */
  readonly asked: string | null;
  /** That was shown in this tab before. */
  readonly kept: string | null;
  /** The browser's, the liked ones first. */
  readonly browser: readonly string[];
}

/** The first language wished for that there is; English where there is none of them. */
export function languageOf({ asked, kept, browser }: Wishes): Language {
  const wished = [asked, kept, ...browser].map((tag) => primaryOf(tag ?? ""));
  return wished.find(isLanguage) ?? "en";
}

function primaryOf(tag: string): string {
  return tag.toLowerCase().split(/[-_]/)[0] ?? "";
}

/** How dates and numbers are written: as in the browser's own region, where it has the language. */
export function localeOf(language: Language, browser: readonly string[]): string {
  return browser.find((tag) => primaryOf(tag) === language) ?? language;
}

/** The day and the hour of something, in the browser's zone. */
export function dateText(locale: string, at: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: "full", timeStyle: "short" }).format(
    new Date(at),
  );
}

/** A day that was given as midnight UTC, which would be the day before in America. */
export function dayText(locale: string, at: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" }).format(
    new Date(at),
  );
}

const MEGABYTE = 1_000_000;

/** Bytes in megabytes, rounded up unless a limit is told, which no size below it may seem to exceed. */
export function sizeText(locale: string, bytes: number, rounding: "ceil" | "floor" = "ceil") {
  const megabytes = Math[rounding]((bytes / MEGABYTE) * 10) / 10;
  const form = { style: "unit", unit: "megabyte", maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(locale, form).format(megabytes);
}

/** What is said one after the other: `PDF, JPEG or PNG`. */
export function listText(locale: string, parts: readonly string[], type: "or" | "and"): string {
  const kind = type === "or" ? "disjunction" : "conjunction";
  return new Intl.ListFormat(locale, { type: kind }).format(parts);
}
