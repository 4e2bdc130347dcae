import { useSyncExternalStore } from "react";
import { Badge, type Tone } from "./badge.tsx";
import { relativeText, spanText } from "./time-text.ts";

const LOOK_MS = 30_000;

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
  timer ??= setInterval(look, LOOK_MS);
  return () => {
    readers.delete(reader);
    if (readers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Nothing has kept it fresh while nobody read it. */
function nowForReader(): number {
  if (readers.size === 0 && Date.now() - now > LOOK_MS) now = Date.now();
  return now;
}

/** The time now, again every half minute. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, nowForReader);
}

interface TimeProps {
  /** ISO 8601; null is shown as a dash. */
  readonly at: string | null | undefined;
  /**
   * `relative`: how long until then, or ago. `past`: the same for what has happened. `zoned`: with the zone's name.
   * `day`: without the hour.
   */
  readonly form?: "short" | "zoned" | "day" | "relative" | "past";
}

/** A time in the browser's zone; the whole of it on hover. */
export function Time({ at, form = "short" }: TimeProps) {
  const now = useNow();
  if (at === null || at === undefined) return <span>–</span>;
  const date = new Date(at);
  const isRelative = form === "relative" || form === "past";
  const isOtherYear = date.getFullYear() !== new Date(now).getFullYear();
  const format =
    form === "short" && isOtherYear ? shortOfYear : FORMATS[isRelative ? "short" : form];
  return (
    <time dateTime={at} title={form === "day" ? undefined : whole.format(date)}>
      {isRelative ? relativeText(date.getTime() - now, form === "past") : format.format(date)}
    </time>
  );
}

const SOON_MS = 60 * 60_000;

function toneOf(leftMs: number): Tone {
  if (leftMs < 0) return "bad";
  return leftMs < SOON_MS ? "warning" : "neutral";
}

/** When the decision is due, in words with a mark; the exact time on hover. */
export function DueClock({ at }: { readonly at: string }) {
  const leftMs = new Date(at).getTime() - useNow();
  return (
    <Badge tone={toneOf(leftMs)}>
      {leftMs < 0 ? `Overdue ${spanText(leftMs)}` : <Time at={at} form="relative" />}
    </Badge>
  );
}
