import { readinessOf } from "../../requirement/rules/readiness.ts";
import type { DueTimes } from "./due-times.ts";
import type { Order } from "./order.ts";
import { factsOf, hasDateConfirmed, type Action, type ActionByOrder } from "./status-facts.ts";

export interface NextAction {
  readonly actor: "customer" | "desk" | "carrier" | "none";
  readonly action: Action;
  readonly due_at: string | null;
}

/** A draft can be submitted where nothing blocks that; an old document has to be replaced by another one. */
function actionInDraft(order: Order, now: Date): Action {
  const { ready, blocking } = readinessOf(order, now);
  if (ready) return "submit";
  const mustFix = blocking.some(({ code }) => code === "exception" || code === "document_too_old");
  return mustFix ? "fix_requirement" : "complete_requirements";
}

/** What else blocks a submission than a field in exception, readiness says (docs/contract/customer-api.md, Transitions). */
function actionInRejection({ requirements }: Order): Action {
  const hasException = requirements.some(({ status }) => status === "requirement-info-exception");
  return hasException ? "fix_requirement" : "submit_again";
}

const CHOOSERS: Readonly<Record<ActionByOrder, (order: Order, now: Date) => Action>> = {
  complete_or_submit: actionInDraft,
  fix_or_submit_again: actionInRejection,
};

function isByOrder(action: Action | ActionByOrder): action is ActionByOrder {
  return action in CHOOSERS;
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
  return { actor, action: isByOrder(action) ? CHOOSERS[action](order, now) : action, due_at };
}

function dueAt({ id, status, foc_actual: date }: Order, due: DueTimes): Date | null {
  const isDated = hasDateConfirmed(status) || factsOf(status).moving;
  if (isDated) return date === null ? null : new Date(date);
  return due.get(id) ?? null;
}
