import type { Provider } from "../../domain/carrier/rules/provider.ts";

const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/** Whether the instant is within the hours, in their own time zone. */
export function isOpenAt(
  { time_zone: timeZone, days, from, to }: Provider["businessHours"],
  at: Date,
): boolean {
  const format = { timeZone, weekday: "short", hour: "2-digit", minute: "2-digit" } as const;
  const parts = new Intl.DateTimeFormat("en-GB", { ...format, hourCycle: "h23" }).formatToParts(at);
  const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? "";
  const time = `${part("hour")}:${part("minute")}`;
  return days.includes(DAYS.indexOf(part("weekday")) + 1) && time >= from && time < to;
}
