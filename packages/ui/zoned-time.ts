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

/** The calendar day of a zone that many days from today: `2026-03-02`. A day has 23 or 25 hours when clocks change. */
export function dayOf(days: number, now = Date.now(), zone = browserZone()): string {
  const day = new Date(`${zonedTimeOf(now, zone).date}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() + days);
  return day.toISOString().slice(0, 10);
}

/** When a day starts in a zone, as ISO 8601; empty for what is not a day. */
export function startOfDay(day: string, zone = browserZone()): string {
  const start = Date.parse(instantOf({ date: day, time: "00:00", zone }) ?? "");
  return Number.isNaN(start) ? "" : new Date(start).toISOString();
}

/** Names that browsers still list, by what the tz database calls the zone today. */
const RENAMED: Readonly<Record<string, string>> = {
  "Africa/Asmera": "Africa/Asmara",
  "America/Buenos_Aires": "America/Argentina/Buenos_Aires",
  "America/Catamarca": "America/Argentina/Catamarca",
  "America/Coral_Harbour": "America/Atikokan",
  "America/Cordoba": "America/Argentina/Cordoba",
  "America/Godthab": "America/Nuuk",
  "America/Indianapolis": "America/Indiana/Indianapolis",
  "America/Jujuy": "America/Argentina/Jujuy",
  "America/Louisville": "America/Kentucky/Louisville",
  "America/Mendoza": "America/Argentina/Mendoza",
  "Asia/Calcutta": "Asia/Kolkata",
  "Asia/Katmandu": "Asia/Kathmandu",
  "Asia/Rangoon": "Asia/Yangon",
  "Asia/Saigon": "Asia/Ho_Chi_Minh",
  "Atlantic/Faeroe": "Atlantic/Faroe",
  "Europe/Kiev": "Europe/Kyiv",
  "Pacific/Enderbury": "Pacific/Kanton",
  "Pacific/Ponape": "Pacific/Pohnpei",
  "Pacific/Truk": "Pacific/Chuuk",
};

/** Zones under their names of today, each once, in alphabetical order. */
export function namedToday(zones: readonly string[]): readonly string[] {
  return [...new Set(zones.map((zone) => RENAMED[zone] ?? zone))].sort();
}
