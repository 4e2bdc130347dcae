import type { ReceivedUpdate } from "./carrier-steps.ts";
import { derivedId } from "../../../platform/ids.ts";
import { cutoffText, isPastCutoff } from "./cutoff.ts";
import { findRemovalFaults, noteChanges, withoutNumbers } from "./decide-customer.ts";
import { whyWithDesk } from "./desk-owned.ts";
import type { DecisionContext } from "./effects.ts";
import { changeOfVersion, MAX_CHANGES, needsConfirmation, pendingChange } from "./order-changes.ts";
import {
  add,
  allow,
  begin,
  change,
  refuse,
  refuseRequest,
  type Decision,
  type OrderDecision,
} from "./order-decision.ts";
import type { ChangeStatus, Order, OrderChange } from "./order.ts";
import { isAtCarrier, isCancelling, isEditable, isEnded, isMovingNumbers } from "./status-facts.ts";

/** A change that a customer asks for. */
export interface ChangeAsked extends Pick<
  OrderChange,
  "id" | "foc_requested" | "remove_phone_numbers" | "reason"
> {
  /** How long before the confirmed date a change may still be asked for. */
  readonly cutoffMs: number;
  /** Whether the provider takes supplements; if not, the desk asks the carrier by hand. */
  readonly isTaken: boolean;
}

/** Asks the carrier for a change; the confirmed date itself is accepted at once, for the carrier has nothing to change. */
export function decideChange(order: Order, asked: ChangeAsked, { now }: DecisionContext): Decision {
  const { remove_phone_numbers: removed, foc_requested: wanted, cutoffMs } = asked;
  const refusal = findStateRefusal(order);
  if (refusal !== null) return refusal;
  if (order.changes.length >= MAX_CHANGES) {
    return refuse("quota_exceeded", `An order can be changed ${MAX_CHANGES} times.`);
  }
  const faults = findRemovalFaults(order, removed);
  if (faults.length > 0) return refuseRequest("These numbers cannot be removed.", faults);
  if (removed.length === 0 && isConfirmedDate(order, wanted)) {
    const added = withNew(begin(order), { asked, versions: [], now });
    return allow(withAccepted(added, asked.id, now));
  }
  // A date that nobody asked for may have come after the cut-off: until it is confirmed, it alone is the limit.
  const limitMs = needsConfirmation(order) ? 0 : cutoffMs;
  if (isPastCutoff(order, limitMs, now)) {
    return refuse("change_too_late", cutoffText("changed", order.foc_actual, limitMs));
  }
  return allow(askCarrier(order, asked, now));
}

export function isConfirmedDate({ foc_actual: confirmed }: Order, wanted: string | null): boolean {
  return wanted !== null && confirmed !== null && Date.parse(wanted) === Date.parse(confirmed);
}

function findStateRefusal(order: Order): Decision | null {
  const { status } = order;
  const pending = pendingChange(order);
  if (isMovingNumbers(status)) return refuse("change_too_late", "The numbers are being moved.");
  if (isEditable(order)) {
    const withYou = `An order in ${status} is with you: change it itself (PATCH).`;
    return refuse("invalid_state", whyWithDesk(order) ?? withYou);
  }
  if (!isAtCarrier(status)) {
    return refuse("invalid_state", `An order in ${status} cannot be asked to be changed.`);
  }
  if (pending === null) return null;
  const detail = `The change ${pending.id} is pending: wait for its answer, or withdraw it.`;
  return refuse("invalid_state", detail);
}

/** Sends a supplement, which says what is asked for; the order stays as it is until the carrier has answered. */
function askCarrier(order: Order, asked: Omit<ChangeAsked, "cutoffMs">, now: Date): OrderDecision {
  const version = order.request_version + 1;
  const added = withNew(begin(order), { asked, versions: [version], now });
  return toCarrier(added, asked.isTaken, now);
}

const BY_HAND =
  "The customer asks for a change, or takes one back, and no program tells the carrier: do so by mail or phone, and record its answer.";

/** Sends the next version, or has the desk do so where the carrier's integration does not take it. */
function toCarrier(decision: OrderDecision, isTaken: boolean, now: Date): OrderDecision {
  const alert = isTaken ? {} : { attention: { reason: BY_HAND, raised_at: now.toISOString() } };
  const request_version = decision.order.request_version + 1;
  const sent = change(decision, { request_version, updated_at: now, ...alert });
  return add(sent, { effect: "carrier_task", kind: "supplement" });
}

interface NewChange {
  readonly asked: Omit<ChangeAsked, "cutoffMs" | "isTaken">;
  readonly versions: readonly number[];
  readonly now: Date;
}

function withNew(decision: OrderDecision, { asked, versions, now }: NewChange): OrderDecision {
  const { id, foc_requested, remove_phone_numbers, reason } = asked;
  const added: OrderChange = {
    ...{ id, foc_requested, remove_phone_numbers, reason, versions },
    status: "pending",
    detail: null,
    created_at: now.toISOString(),
    decided_at: null,
  };
  const { changes } = decision.order;
  return noted(change(decision, { changes: [...changes, added], updated_at: now }), added);
}

function noted(decision: OrderDecision, { id, status, detail, ...asked }: OrderChange) {
  const { foc_requested, remove_phone_numbers } = asked;
  const data = { id, status, detail, foc_requested, remove_phone_numbers };
  return add(decision, { effect: "timeline", kind: "change", data });
}

interface Outcome {
  readonly status: Exclude<ChangeStatus, "pending">;
  readonly detail: string | null;
  /** The request that takes it back. */
  readonly version?: number;
}

function withOutcome(
  decision: OrderDecision,
  decided: OrderChange,
  { now, version, ...outcome }: Outcome & { readonly now: Date },
): OrderDecision {
  const versions = version === undefined ? decided.versions : [...decided.versions, version];
  const ended = { ...decided, ...outcome, versions, decided_at: now.toISOString() };
  const changes = decision.order.changes.map((one) => (one.id === decided.id ? ended : one));
  return noted(change(decision, { changes, updated_at: now }), ended);
}

/** Takes a pending change back: the carrier may have it already, so it is sent the order as it is. */
export function decideWithdrawal(
  order: Order,
  { id, isTaken }: { readonly id: string; readonly isTaken: boolean },
  { now }: DecisionContext,
): Decision {
  const pending = pendingChange(order);
  if (pending?.id !== id) {
    const { status = "unknown" } = order.changes.find((one) => one.id === id) ?? {};
    return refuse("invalid_state", `The change is ${status}; only a pending one can be withdrawn.`);
  }
  if (isCancelling(order.status)) {
    return refuse("invalid_state", "The order is being cancelled, and the change ends with it.");
  }
  const version = order.request_version + 1;
  const detail = "The customer withdrew it.";
  const outcome = { status: "withdrawn", detail, version, now } as const;
  return allow(toCarrier(withOutcome(begin(order), pending, outcome), isTaken, now));
}

/** Asks the carrier for the date that the customer wanted, because nobody confirmed the earlier one. */
export function askForRequestedDate(
  order: Order,
  isTaken: boolean,
  { now }: DecisionContext,
): OrderDecision {
  const asked = {
    id: derivedId([order.id, "change", order.request_version + 1].join("/")),
    foc_requested: order.foc_requested,
    remove_phone_numbers: [],
    reason: "The carrier confirmed an earlier date than requested, and the customer did not.",
    isTaken,
  };
  return askCarrier(order, asked, now);
}

/** The carrier's date answers the change: the order asks for what was changed from now on. */
export function withChangeAccepted(
  decision: OrderDecision,
  { update, now }: ReceivedUpdate,
): OrderDecision {
  const pending = changeOfVersion(decision.order, update.request_version);
  return pending === null ? decision : withAccepted(decision, pending.id, now);
}

function withAccepted(decision: OrderDecision, id: string, now: Date): OrderDecision {
  const { order } = decision;
  const pending = pendingChange(order);
  if (pending?.id !== id) return decision;
  const { foc_requested: wanted, remove_phone_numbers: removed } = pending;
  const accepted = withOutcome(decision, pending, { status: "accepted", detail: null, now });
  const dated =
    wanted === null ? accepted : noteChanges(change(accepted, { foc_requested: wanted }), order);
  return removed.length === 0 ? dated : withoutNumbers(dated, removed);
}

/** The carrier refuses the change: the order goes on as it was. */
export function withChangeRefused(
  decision: OrderDecision,
  detail: string,
  { update, now }: ReceivedUpdate,
): OrderDecision {
  const pending = changeOfVersion(decision.order, update.request_version);
  if (pending === null) return decision;
  return withOutcome(decision, pending, { status: "refused", detail, now });
}

/** A change ends with what it was to change: the order has ended, moves its numbers or is with its customer again. */
export function withChangeEnded(decision: OrderDecision, now: Date): OrderDecision {
  const { order } = decision;
  const pending = pendingChange(order);
  const { status, closed_by: by } = order;
  if (pending === null || isAtCarrier(status) || isCancelling(status)) return decision;
  if (by === "customer" || by === "ops") {
    const detail = "The order was cancelled.";
    return withOutcome(decision, pending, { status: "withdrawn", detail, now });
  }
  return withOutcome(decision, pending, { status: "refused", detail: whyEnded(order), now });
}

function whyEnded(order: Order): string {
  if (isEnded(order)) return "The order ended before the carrier had answered.";
  return isMovingNumbers(order.status)
    ? "The carrier began to move the numbers before it had answered."
    : "The carrier rejected the order: its date and numbers can be changed with the correction.";
}
