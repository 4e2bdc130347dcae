const ofYear = new Intl.DateTimeFormat(undefined, {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
});

/** A time in a sentence, in the browser's zone. */
export function timeText(at: string): string {
  return ofYear.format(new Date(at));
}

const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d[\d:.]*(?:Z|[+-]\d\d:\d\d)/g;

/** What the service says with its times as people read them, in the browser's zone. */
export function withTimeTexts(said: string): string {
  return said.replaceAll(INSTANT, timeText);
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A span in its two largest units: `3 h 5 min`. */
export function spanText(ms: number): string {
  const all = Math.abs(ms);
  if (all < MINUTE_MS) return "less than a minute";
  const [days, hours] = [Math.floor(all / DAY_MS), Math.floor((all % DAY_MS) / HOUR_MS)];
  const minutes = Math.floor((all % HOUR_MS) / MINUTE_MS);
  if (days > 0) return hours === 0 ? `${days} d` : `${days} d ${hours} h`;
  if (hours > 0) return minutes === 0 ? `${hours} h` : `${hours} h ${minutes} min`;
  return `${minutes} min`;
}

/**
 * `3 min ago`, `in 2 h`. What has already happened (`isPast`) is never said to be to come: the browser's clock may be
 * behind the service's, and the time that pages go by is up to half a minute old.
 */
export function relativeText(ms: number, isPast: boolean): string {
  if (ms < 0) return `${spanText(ms)} ago`;
  return isPast ? `${spanText(0)} ago` : `in ${spanText(ms)}`;
}
