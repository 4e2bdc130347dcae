const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A step of a time axis, as `date_trunc` names it. */
export type Unit = "minute" | "hour" | "day" | "week" | "month";

/** The longest span that each unit is for, so that an axis has at most a hundred steps. */
const LONGEST: readonly (readonly [Unit, number])[] = [
  ["minute", 90 * MINUTE_MS],
  ["hour", 4 * DAY_MS],
  ["day", 100 * DAY_MS],
  ["week", 700 * DAY_MS],
];

export function unitOf(first: Date, last: Date): Unit {
  const span = last.getTime() - first.getTime();
  return LONGEST.find(([, longest]) => span <= longest)?.[0] ?? "month";
}

/** The beginning of the next step. */
function nextStep(at: Date, unit: Unit): Date {
  switch (unit) {
    case "minute":
      return new Date(at.getTime() + MINUTE_MS);
    case "hour":
      return new Date(at.getTime() + HOUR_MS);
    case "day":
      return new Date(at.getTime() + DAY_MS);
    case "week":
      return new Date(at.getTime() + 7 * DAY_MS);
    case "month":
      return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1));
  }
}

/** Every step from the first to the last, those without anything in them too. */
export function everyStep(first: Date, last: Date, unit: Unit): Date[] {
  const steps: Date[] = [];
  for (let at = first; at.getTime() <= last.getTime(); at = nextStep(at, unit)) steps.push(at);
  return steps;
}
