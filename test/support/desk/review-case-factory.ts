import type { ReviewCase } from "../../../services/domain/review/rules/review-case.ts";
import { T0 } from "../orders/order-factory.ts";

/** The open case of a first submission, which nobody has claimed. */
export function buildCase(fields: Partial<ReviewCase> = {}): ReviewCase {
  return {
    order_id: "order",
    attempt: 1,
    account_id: "account",
    account_name: "Account",
    state: "open",
    outcome: null,
    claimed_by: null,
    claimed_by_name: null,
    claimed_until: null,
    handover: null,
    submitted_at: T0,
    due_at: T0,
    changed_slugs: [],
    decisions: [],
    decided_at: null,
    decided_by: null,
    ...fields,
  };
}
