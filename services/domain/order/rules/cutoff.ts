import type { Order } from "./order.ts";
import { hasDateConfirmed } from "./status-facts.ts";

const HOUR_MS = 3_600_000;

/** Why an order cannot be cancelled or changed so close to its confirmed date. */
export function cutoffText(
  what: "cancelled" | "changed",
  focActual: string | null,
  cutoffMs: number,
): string {
  const until = new Date(Date.parse(focActual ?? "") - cutoffMs).toISOString();
  const hours = Number((cutoffMs / HOUR_MS).toFixed(2));
  return `The port date is ${focActual ?? ""}; an order can be ${what} until ${hours} hours before, which was ${until}.`;
}

export function isPastCutoff(order: Order, cutoffMs: number, now: Date): boolean {
  if (!hasDateConfirmed(order.status) || order.foc_actual === null) return false;
  return Date.parse(order.foc_actual) - now.getTime() < cutoffMs;
}
