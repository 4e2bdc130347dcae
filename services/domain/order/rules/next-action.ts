import type { Order } from "./order.ts";

export interface NextAction {
  readonly actor: "customer" | "desk" | "carrier" | "none";
  readonly action:
    | "complete_requirements"
    | "submit"
    | "wait_for_review"
    | "wait_for_carrier"
    | "fix_requirement"
    | "submit_again"
    | "wait_for_activation"
    | "handle_exception"
    | "none";
  readonly due_at: string | null;
}

/** Whose move it is, and which. In rejection always the customer's; else the desk's where it must look. */
export function nextActionOf(order: Order): NextAction {
  if (order.attention !== null && order.status !== "rejection") {
    return step("desk", "handle_exception");
  }
  switch (order.status) {
    case "draft":
      return step("customer", order.requirements_status ? "submit" : "complete_requirements");
    case "rejection":
      return step("customer", hasException(order) ? "fix_requirement" : "submit_again");
    case "in_review":
      return step("desk", "wait_for_review");
    case "submitted":
    case "in_process":
    case "cancel_pending":
      return step("carrier", "wait_for_carrier");
    case "foc_scheduled":
      return step("carrier", "wait_for_activation", utc(order.foc_actual));
    case "activating":
      return step("carrier", "wait_for_activation");
    case "completed":
    case "completed_partial":
    case "cancelled":
      return step("none", "none");
  }
}

function hasException({ requirements }: Order): boolean {
  return requirements.some(({ status }) => status === "requirement-info-exception");
}

function step(
  actor: NextAction["actor"],
  action: NextAction["action"],
  dueAt: string | null = null,
): NextAction {
  return { actor, action, due_at: dueAt };
}

function utc(instant: string | null): string | null {
  return instant === null ? null : new Date(instant).toISOString();
}
