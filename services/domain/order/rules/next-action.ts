import type { Order } from "./order.ts";
import { factsOf, hasDateConfirmed, type Action } from "./status-facts.ts";

export interface NextAction {
  readonly actor: "customer" | "desk" | "carrier" | "none";
  readonly action: Action;
  readonly due_at: string | null;
}

/** Who has to act next, and how: the desk if it was alerted, unless the customer has to correct something first. */
export function nextActionOf(order: Order, now: Date): NextAction {
  const { actor, action, beforeDesk } = factsOf(order.status);
  if (order.attention !== null && !beforeDesk) {
    return { actor: "desk", action: "handle_exception", due_at: null };
  }
  return {
    actor,
    action: typeof action === "function" ? action(order, now) : action,
    due_at: hasDateConfirmed(order.status) ? utc(order.foc_actual) : null,
  };
}

function utc(instant: string | null): string | null {
  return instant === null ? null : new Date(instant).toISOString();
}
