import type { DueTimes } from "./due-times.ts";
import type { Order } from "./order.ts";
import { factsOf, hasDateConfirmed, type Action } from "./status-facts.ts";

export interface NextAction {
  readonly actor: "customer" | "desk" | "carrier" | "none";
  readonly action: Action;
  readonly due_at: string | null;
}

/**
 * Who has to act next, and how: the desk if it was alerted, unless the customer has to correct something first. `due_at`
 * is when something happens by itself, whoever is to act.
 */
export function nextActionOf(order: Order, due: DueTimes, now: Date): NextAction {
  const { actor, action, beforeDesk } = factsOf(order.status);
  const due_at = dueAt(order, due)?.toISOString() ?? null;
  if (order.attention !== null && !beforeDesk) {
    return { actor: "desk", action: "handle_exception", due_at };
  }
  return { actor, action: typeof action === "function" ? action(order, now) : action, due_at };
}

function dueAt({ id, status, foc_actual: date }: Order, due: DueTimes): Date | null {
  const isDated = hasDateConfirmed(status) || factsOf(status).moving;
  if (isDated) return date === null ? null : new Date(date);
  return due.get(id) ?? null;
}
