import type { Fault } from "../../../platform/errors.ts";
import { DRAFT_DELETED, DRAFT_EXPIRED } from "./closed-reason.ts";
import { isDesksOwn, whyWithDesk } from "./desk-owned.ts";
import type { DecisionContext } from "./effects.ts";
import type { Order } from "./order.ts";
import { isGiven, onlyOf, withValues } from "../../requirement/rules/number-values.ts";
import { readinessOf } from "../../requirement/rules/readiness.ts";
import {
  add,
  allow,
  begin,
  change,
  changeRequirements,
  move,
  refuse,
  refuseRequest,
  takes,
  type Decision,
  type OrderDecision,
} from "./order-decision.ts";
import { factsOf, isEditable, isEnded } from "./status-facts.ts";
import { targetOf } from "./transitions.ts";

const EDITABLE = "only one in draft or rejection can";

export interface OrderPatch {
  readonly customer_reference?: string;
  readonly webhook_url?: string | null;
  readonly foc_requested?: string | null;
  readonly remove_phone_numbers?: readonly string[];
}

export interface Submission {
  /** Why the order's numbers cannot be moved at the date that it asks for; for the desk, any date will do. */
  readonly findDateFault?: (order: Order) => Fault | null;
}

/** From draft or rejection, if ready, to in_review, with a new case for the desk. */
export function decideSubmit(
  order: Order,
  { findDateFault }: Submission,
  { now }: DecisionContext,
): Decision {
  const decision = begin(order);
  if (!takes(decision, "submit")) {
    return refuse("invalid_state", `An order in ${order.status} cannot be submitted; ${EDITABLE}.`);
  }
  const { blocking } = readinessOf(order, now);
  const ofDate = findDateFault?.(order) ?? null;
  const faults = ofDate === null ? [] : [ofDate];
  if (blocking.length > 0) {
    const detail = "Some requirements are missing, still being checked or to be corrected.";
    return { allowed: false, refusal: { code: "not_ready", detail, blocking, faults } };
  }
  if (faults.length > 0) return refuseRequest("The order cannot be submitted.", faults);
  const attempt = order.review_attempt + 1;
  const fields = {
    review_attempt: attempt,
    submitted_at: order.submitted_at ?? now,
    exceptions: [],
    attention: isDesksOwn(order) ? null : order.attention,
  };
  const moved = move(underReview(decision), { by: "submit", now, fields });
  return allow(add(moved, { effect: "review_request", kind: "open_case", attempt }));
}

/** Requirements with a value that are not approved yet go to the desk; approved ones stay approved. */
function underReview(decision: OrderDecision): OrderDecision {
  const isPending = (status: string, hasValue: boolean): boolean =>
    status === "requirement-info-pending" && hasValue;
  return changeRequirements(decision, (requirement) => {
    const status = "requirement-info-under-review" as const;
    if (requirement.scope === "number") {
      const values = requirement.values.map((value) =>
        isPending(value.status, isGiven(value)) ? { ...value, status } : value,
      );
      return withValues(requirement, values);
    }
    const isNew = isPending(requirement.status, requirement.has_value);
    return { ...requirement, status: isNew ? status : requirement.status };
  });
}

/** Deletes a draft that was never submitted; its events and deliveries remain. */
export function decideDelete(
  order: Order,
  deletedBy: "customer" | "expiry",
  { now }: DecisionContext,
): Decision {
  if (!factsOf(order.status).deletable) {
    const instead = targetOf(order, "customer_cancel") === null ? "" : ", so cancel it";
    const detail = `Only a draft that was never submitted can be deleted; this order is in ${order.status}${instead}.`;
    return refuse("invalid_state", detail);
  }
  const closed_reason = deletedBy === "expiry" ? DRAFT_EXPIRED : DRAFT_DELETED;
  const gone = change(begin(order), { deleted_at: now, updated_at: now, closed_reason });
  return allow(
    add(gone, {
      effect: "event",
      type: "porting_order.deleted",
      payload: {
        porting_order_id: order.id,
        batch_id: order.batch_id,
        customer_reference: order.customer_reference,
        phone_numbers: order.numbers.map((number) => number.phone_number),
        deleted_at: now.getTime(),
        deleted_by: deletedBy,
      },
    }),
  );
}

/** Reference and webhook_url can change in any open state, date and numbers only while the order is editable; no event. */
export function decidePatch(order: Order, patch: OrderPatch, { now }: DecisionContext): Decision {
  if (isEnded(order)) {
    return refuse("invalid_state", `An order in ${order.status} has ended and cannot be changed.`);
  }
  const { remove_phone_numbers: removed = [], ...fields } = patch;
  const needsRework = fields.foc_requested !== undefined || removed.length > 0;
  if (needsRework && !isEditable(order)) {
    return refuse(
      "invalid_state",
      `The date and numbers of an order in ${order.status} cannot be changed; ${EDITABLE}.`,
    );
  }
  const withDesk = needsRework ? whyWithDesk(order) : null;
  if (withDesk !== null) return refuse("invalid_state", withDesk);
  const faults = findRemovalFaults(order, removed);
  if (faults.length > 0) return refuseRequest("These numbers cannot be removed.", faults);
  const patched = noteChanges(change(begin(order), { ...fields, updated_at: now }), order);
  return allow(removed.length === 0 ? patched : withoutNumbers(patched, removed));
}

/** Changes that no event reports. */
const NOTED_FIELDS = ["customer_reference", "foc_requested", "webhook_url"] as const;

export function noteChanges(decision: OrderDecision, before: Order): OrderDecision {
  const changed = NOTED_FIELDS.filter((name) => before[name] !== decision.order[name]);
  if (changed.length === 0) return decision;
  const shown = (order: Order, name: (typeof NOTED_FIELDS)[number]): string | null => {
    const text = order[name];
    // The path of a URL may have a secret.
    return name === "webhook_url" && text !== null ? new URL(text).host : text;
  };
  const data = Object.fromEntries(
    changed.map((name) => [name, { from: shown(before, name), to: shown(decision.order, name) }]),
  );
  return add(decision, { effect: "timeline", kind: "order", data });
}

/** The faults of the numbers that a patch removes. */
export function findRemovalFaults(order: Order, removed: readonly string[]): Fault[] {
  const own = new Set(order.numbers.map((number) => number.phone_number));
  const left = own.size - new Set(removed.filter((number) => own.has(number))).size;
  const unknown = removed.flatMap((number, n): Fault[] => {
    const pointer = `#/remove_phone_numbers/${n}`;
    if (!own.has(number)) {
      return [{ pointer, code: "unknown_number", detail: `The order has no number ${number}.` }];
    }
    if (removed.indexOf(number) === n) return [];
    return [{ pointer, code: "duplicate_number", detail: "The number is listed more than once." }];
  });
  if (left > 0) return unknown;
  const detail = "At least one number must remain; delete or cancel the order instead.";
  return [...unknown, { pointer: "#/remove_phone_numbers", code: "last_number", detail }];
}

export function withoutNumbers(decision: OrderDecision, removed: readonly string[]): OrderDecision {
  const gone = new Set(removed);
  const numbers = decision.order.numbers.filter((number) => !gone.has(number.phone_number));
  const left = changeRequirements(change(decision, { numbers }), (requirement) =>
    onlyOf(requirement, numbers),
  );
  return add(left, {
    effect: "timeline",
    kind: "number",
    data: { removed },
  });
}
