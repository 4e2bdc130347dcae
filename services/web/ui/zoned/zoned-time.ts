const MINUTE_MS = 60_000;

/** `2026-03-02` and `09:30` in a zone. */
export interface ZonedTime {
  readonly date: string;
  readonly time: string;
  readonly zone: string;
}

/**
 * The instant with the zone's offset on that day, `2026-03-02T09:30:00-05:00`; null while date or time is incomplete. A
 * time that the clocks skip in spring is taken with the offset before.
 */
export function instantOf({ date, time, zone }: ZonedTime): string | null {
  const utc = Date.parse(`${date}T${time}:00Z`);
  if (date === "" || time === "" || Number.isNaN(utc)) return null;
  const first = offsetOf(utc, zone);
  const offset = offsetOf(utc - first * MINUTE_MS, zone);
  return `${date}T${time}:00${offsetText(offset)}`;
}

/** Date and time of an instant in a zone. */
export function zonedTimeOf(ms: number, zone: string): ZonedTime {
  const local = new Date(ms + offsetOf(ms, zone) * MINUTE_MS).toISOString();
  return { date: local.slice(0, 10), time: local.slice(11, 16), zone };
}

export function browserZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** How far the zone's clocks are ahead of UTC, in minutes. */
function offsetOf(ms: number, zone: string): number {
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = parts;
  const local = new Date(0);
  local.setUTCFullYear(year, month - 1, day);
  local.setUTCHours(hour, minute);
  return Math.round((local.getTime() - Math.floor(ms / MINUTE_MS) * MINUTE_MS) / MINUTE_MS);
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
  });
}

function offsetText(minutes: number): string {
  const digits = (value: number): string => String(value).padStart(2, "0");
  const all = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${digits(Math.floor(all / 60))}:${digits(all % 60)}`;
}
