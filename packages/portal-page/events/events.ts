import type { z } from "zod";
import type { eventAnswer } from "../../../services/api/events/routes.ts";

export type Event = z.output<typeof eventAnswer>;

export const EVENTS_PATH = "/v2/porting/events";

/** What an event is about, and what the status became: `+12125550123 and 2 more, in review`; empty where it tells neither. */
export function gistOf({ payload }: Pick<Event, "payload">): string {
  const { porting_order: order, port_out: portOut, phone_number: number } = payload;
  const subject = isRecord(order) ? order : isRecord(portOut) ? portOut : {};
  const listed: unknown = subject["phone_numbers"];
  const all: readonly unknown[] = Array.isArray(listed) ? listed : [number];
  const numbers = all.filter(isText);
  const [first = "", ...more] = numbers;
  const about = more.length === 0 ? first : `${first} and ${more.length} more`;
  const status = payload["new_status"];
  const became = isText(status) ? status.replaceAll("_", " ") : "";
  return [about, became].filter((part) => part !== "").join(", ");
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
