import type { PortingEvent } from "../../client/feed/porting-event.ts";
import { shortTime, type Style } from "../output/render.ts";
import { isDelivered, type Exchange } from "./forward.ts";

/** One line for an event, with what its receiver answered. */
export function showExchange(
  event: PortingEvent,
  exchange: Exchange | null,
  { paint }: Pick<Style, "paint">,
): string {
  const { created_at, type, id } = event;
  const head = `${paint.dim(shortTime(created_at))}  ${paint.bold(type)}  ${id}`;
  if (exchange === null) return head;
  const arrow = `${head}  → `;
  if ("error" in exchange) return arrow + paint.red(exchange.error);
  const { status, duration_ms, response_body } = exchange;
  if (isDelivered(exchange)) return `${arrow}${paint.green(String(status))} in ${duration_ms} ms`;
  const text = response_body.replaceAll(/\s+/g, " ").trim();
  const said = text === "" ? "" : `: ${text}`;
  return `${arrow}${paint.red(String(status))} in ${duration_ms} ms${said}`;
}
