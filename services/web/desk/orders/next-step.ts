import { factsOf } from "../../../domain/order/rules/status-facts.ts";
import type { Order, OrderSummary } from "./queries.ts";

export type Stepping = Pick<OrderSummary, "next_action" | "attention" | "status">;

export interface NextStep {
  readonly who: string;
  /** What is to be done, to be read after who. */
  readonly what: string;
  /** What the time means, to be read before it; null where nothing happens by itself. */
  readonly by: string | null;
}

const WHO = {
  customer: "The customer",
  desk: "The desk",
  carrier: "The carrier",
  none: "Nobody",
} as const;

/** Who must do what, and what happens when. */
export function nextStepOf(order: Stepping): NextStep {
  const { actor, action, due_at: due } = order.next_action;
  const { what, by } = stepWords(order, action);
  return { who: WHO[actor], what, by: due === null ? null : by };
}

interface StepWords {
  readonly what: string;
  readonly by: string;
}

function stepWords(order: Stepping, action: Order["next_action"]["action"]): StepWords {
  switch (action) {
    case "complete_requirements":
      return { what: "completes the requirements", by: "or the draft is deleted" };
    case "submit":
      return { what: "submits the order", by: "or the draft is deleted" };
    case "wait_for_review":
      return { what: "reviews the submission", by: "due" };
    case "wait_for_carrier":
      return { what: carrierStep(order.status), by: "due" };
    case "fix_requirement":
      return { what: "corrects what was rejected", by: "or the order closes" };
    case "submit_again":
      return { what: "submits the order again", by: "or the order closes" };
    case "wait_for_activation":
      return { what: "moves the numbers", by: "port date" };
    case "handle_exception":
      return { what: "looks into it and calls the carrier", by: "port date" };
    case "none":
      return { what: "has to do anything: the order has ended", by: "ended" };
  }
}

function carrierStep(status: Order["status"]): string {
  if (factsOf(status).cancelling) return "confirms or refuses the cancellation";
  return factsOf(status).nextStep === "acknowledged"
    ? "acknowledges the request"
    : "names the port date";
}
