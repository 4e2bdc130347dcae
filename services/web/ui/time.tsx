import { useSyncExternalStore } from "react";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const whole = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "long" });
const short = new Intl.DateTimeFormat(undefined, {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
});

/** For dates that were agreed with somebody in another zone. */
const zoned = new Intl.DateTimeFormat(undefined, {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  timeZoneName: "short",
});
/** For the date of a document, which is given as midnight UTC and would be the day before in America. */
const day = new Intl.DateTimeFormat(undefined, {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});
const FORMATS = { short, zoned, day };
/** A time of another year would be taken for one of this. */
const shortOfYear = new Intl.DateTimeFormat(undefined, {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
});

/** A span in its two largest units: `3 h 5 min`. */
export function spanText(ms: number): string {
  const all = Math.abs(ms);
  if (all < MINUTE_MS) return "under a minute";
  const [days, hours] = [Math.floor(all / DAY_MS), Math.floor((all % DAY_MS) / HOUR_MS)];
  const minutes = Math.floor((all % HOUR_MS) / MINUTE_MS);
  if (days > 0) return hours === 0 ? `${days} d` : `${days} d ${hours} h`;
  if (hours > 0) return minutes === 0 ? `${hours} h` : `${hours} h ${minutes} min`;
  return `${minutes} min`;
}

const readers = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function look(): void {
  now = Date.now();
  for (const read of readers) read();
}

/** One timer for the hundreds of times that a long list shows. */
function subscribe(reader: () => void): () => void {
  readers.add(reader);
  timer ??= setInterval(look, MINUTE_MS / 2);
  return () => {
    readers.delete(reader);
    if (readers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Nothing has kept it fresh while nobody read it. */
function nowForReader(): number {
  if (readers.size === 0 && Date.now() - now > MINUTE_MS / 2) now = Date.now();
  return now;
}

/** The time now, again every half minute. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, nowForReader);
}

interface TimeProps {
  /** ISO 8601; null is shown as a dash. */
  readonly at: string | null | undefined;
  /** `relative`: how long ago, or until then. `zoned`: with the zone's name. `day`: without the hour. */
  readonly form?: "short" | "zoned" | "day" | "relative";
}

/** A time in the browser's zone; the whole of it on hover. */
export function Time({ at, form = "short" }: TimeProps) {
  const now = useNow();
  if (at === null || at === undefined) return <span>–</span>;
  const date = new Date(at);
  const ms = date.getTime() - now;
  const relative = ms < 0 ? `${spanText(ms)} ago` : `in ${spanText(ms)}`;
  const isOtherYear = date.getFullYear() !== new Date(now).getFullYear();
  const format =
    form === "short" && isOtherYear ? shortOfYear : FORMATS[form === "relative" ? "short" : form];
  return (
    <time dateTime={at} title={form === "day" ? undefined : whole.format(date)}>
      {form === "relative" ? relative : format.format(date)}
    </time>
  );
}
