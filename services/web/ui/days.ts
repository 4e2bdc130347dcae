const DAY_MS = 86_400_000;

/** The calendar day of the browser's zone that many days from today: `2026-03-02`. */
export function dayOf(days: number, now = Date.now()): string {
  const date = new Date(now + days * DAY_MS);
  const two = (part: number): string => String(part).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** When a day starts in the browser's zone, as ISO 8601; empty for no day. */
export function startOfDay(day: string): string {
  return day === "" ? "" : new Date(`${day}T00:00:00`).toISOString();
}
