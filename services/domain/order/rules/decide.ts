import { WAIT_KINDS, type DeadlineKind, type WaitKind } from "../../deadline/deadline.ts";
import type { RequirementContent } from "../../requirement/rules/requirement.ts";
import { closeOrder, reasonOfCancel, REJECTION_EXPIRED, withoutCase } from "./closed-reason.ts";
import { cutoffText, isPastCutoff } from "./cutoff.ts";
import {
  askForRequestedDate,
  decideChange,
  decideWithdrawal,
  withChangeEnded,
  type ChangeAsked,
} from "./decide-change.ts";
import { decideComment, withSystemComment } from "./decide-comment.ts";
import {
  decideDelete,
  decidePatch,
  decideSubmit,
  type OrderPatch,
  type Submission,
} from "./decide-customer.ts";
import { decideLoaSigned, type LoaSigning } from "./decide-loa.ts";
import {
  decideDocumentChecked,
  decideRequirementChanged,
  type DocumentCheck,
} from "./decide-requirement.ts";
import { decideReview, type ReviewDecision } from "./decide-review.ts";
import { decideHandOver, decideResubmit, type HandOver } from "./decide-desk-owned.ts";
import { isDesksOwn, whyWithDesk } from "./desk-owned.ts";
import { decideSplit, type Split } from "./decide-split.ts";
import { decideStatusUpdate } from "./decide-status-update.ts";
import { confirmationSince, withEarlyDateAlert } from "./early-date.ts";
import type { CarrierTaskKind, Comment, DecisionContext, Effect } from "./effects.ts";
import { isAskedAgain, needsConfirmation, pendingChange } from "./order-changes.ts";
import {
  add,
  allow,
  begin,
  change,
  move,
  refuse,
  type Decision,
  type OrderDecision,
} from "./order-decision.ts";
import type { CancelRequest, ClosedReason, Order } from "./order.ts";
import { factsOf, hasDateConfirmed, isEnded, isMovingNumbers } from "./status-facts.ts";
import type { StatusUpdate } from "./status-update.ts";
import { awaitsCancelAnswer, moveOf, targetOf } from "./transitions.ts";

export type OrderCommand =
  | ({ readonly command: "submit" } & Submission)
  | { readonly command: "resubmit"; readonly note: string }
  | ({ readonly command: "hand_over" } & HandOver)
  | ({ readonly command: "split" } & Split)
  | { readonly command: "delete"; readonly by: "customer" | "expiry" }
  | { readonly command: "patch"; readonly patch: OrderPatch }
  | ({ readonly command: "review" } & ReviewDecision)
  | ({ readonly command: "cancel" } & CancelCommand)
  | ({ readonly command: "ask_for_change" } & ChangeAsked)
  | { readonly command: "withdraw_change"; readonly id: string; readonly isTaken: boolean }
  | { readonly command: "comment"; readonly comment: Comment }
  | { readonly command: "status_update"; readonly update: StatusUpdate }
  | DeadlineCommand
  | ({ readonly command: "document_checked" } & DocumentCheck)
  | ({ readonly command: "loa_signed" } & LoaSigning)
  | {
      readonly command: "requirement_changed";
      readonly slug: string;
      readonly content: RequirementContent;
    }
  /** One after the other, or none of them. */
  | { readonly command: "several"; readonly commands: readonly OrderCommand[] };

/** Decides a command on an order: the changed order with its effects in sequence, or a refusal. A pure function. */
export function decide(order: Order, command: OrderCommand, context: DecisionContext): Decision {
  const decision = outcomeOf(order, command, context);
  if (!decision.allowed) return decision;
  const ended = withChangeEnded(decision, context.now);
  const alerted = withEarlyDateAlert(ended, order, context);
  return allow(withWaits(alerted, { before: order, command, ...context }));
}

function outcomeOf(order: Order, command: OrderCommand, context: DecisionContext): Decision {
  switch (command.command) {
    case "submit":
      return submitByCustomer(order, command, context);
    case "resubmit":
      return decideResubmit(order, command.note, context);
    case "hand_over":
      return decideHandOver(order, command, context);
    case "split":
      return decideSplit(order, command, context);
    case "delete":
      return decideDelete(order, command.by, context);
    case "patch":
      return decidePatch(order, command.patch, context);
    case "review":
      return decideReview(order, command, context);
    case "comment":
      return decideComment(order, command.comment, context);
    case "cancel":
      return decideCancel(order, command, context);
    case "ask_for_change":
      return decideChange(order, command, context);
    case "withdraw_change":
      return decideWithdrawal(order, command, context);
    case "status_update":
      return decideStatusUpdate(order, command.update, context);
    case "draft_expiry":
    case "rejection_expiry":
    case "foc_reached":
    case "foc_grace":
    case "carrier_silence":
    case "date_confirmation":
      return decideDeadline(order, command, context);
    case "document_checked":
      return decideDocumentChecked(order, command);
    case "loa_signed":
      return decideLoaSigned(order, command, context);
    case "requirement_changed":
      return decideRequirementChanged(order, command, context);
    case "several":
      return decideSeveral(order, command.commands, context);
  }
}

/** What the desk settles with the carrier, it submits itself (`resubmit`, `split`). */
function submitByCustomer(
  order: Order,
  submission: Submission,
  context: DecisionContext,
): Decision {
  const why = whyWithDesk(order);
  return why === null ? decideSubmit(order, submission, context) : refuse("invalid_state", why);
}

function decideSeveral(
  order: Order,
  commands: readonly OrderCommand[],
  context: DecisionContext,
): Decision {
  let decision = begin(order);
  for (const command of commands) {
    const next = outcomeOf(decision.order, command, context);
    if (!next.allowed) return next;
    decision = { order: next.order, effects: [...decision.effects, ...next.effects] };
  }
  return allow(decision);
}

/** The context of a decision: the order before it, the command and its actor. */
interface Decided extends DecisionContext {
  readonly before: Order;
  readonly command: OrderCommand;
}

/** Starts, restarts and ends the waits that a decision affects; a wait that lasts too long becomes a deadline. */
function withWaits(decision: OrderDecision, decided: Decided): OrderDecision {
  const waits = WAIT_KINDS.flatMap((kind) => {
    const since = changeOf(kind, decision, decided);
    return since === undefined ? [] : [{ effect: "wait" as const, kind, since }];
  });
  return { ...decision, effects: [...waits, ...decision.effects] };
}

function isWaiting(kind: DeadlineKind, order: Order): boolean {
  if (order.deleted_at !== null) return false;
  // The carrier owes the answer to a change too.
  if (kind === "carrier_silence" && pendingChange(order) !== null) return true;
  if (!factsOf(order.status).deadlines.includes(kind)) return false;
  if (kind === "rejection_expiry") return !isDesksOwn(order);
  return kind !== "date_confirmation" || (needsConfirmation(order) && !isAskedAgain(order));
}

/** When the wait starts again; null if it ends, undefined if it does not change. */
function changeOf(kind: WaitKind, { order, effects }: OrderDecision, decided: Decided) {
  const { before, command, actor, now } = decided;
  const waited = isWaiting(kind, before);
  if (!isWaiting(kind, order)) return waited ? null : undefined;
  if (!waited && kind !== "foc_grace" && kind !== "date_confirmation") return now;
  switch (kind) {
    case "date_confirmation": {
      const isKnown = waited && before.foc_actual === order.foc_actual;
      return isKnown ? undefined : confirmationSince(order, decided);
    }
    case "draft_expiry":
    case "rejection_expiry":
      return actor.type === "customer" ? now : undefined;
    case "foc_grace": {
      if (command.command === "foc_grace") return now;
      const same = waited && before.foc_actual === order.foc_actual;
      return same || order.foc_actual === null ? undefined : new Date(order.foc_actual);
    }
    case "carrier_silence":
      if (effects.some(({ effect }) => effect === "carrier_task")) return now;
      if (command.command !== "status_update") return undefined;
      if (!isOfCurrent(before, command.update.request_version)) return undefined;
      // An update that leaves a cancellation pending is about the order itself: the carrier still owes that answer.
      return awaitsCancelAnswer(order) ? now : null;
  }
}

/** A status update about an older version does not answer the current request. */
function isOfCurrent(order: Order, version: number): boolean {
  return version === order.request_version;
}

/** The commands triggered by time, one per kind of deadline. */
interface DeadlineCommand {
  readonly command: DeadlineKind;
  /** When it was due, or when the wait started. */
  readonly at: Date;
  /** Whether the order's provider takes a request of that kind; it takes all unless given. */
  readonly takes?: (kind: CarrierTaskKind) => boolean;
}

const takesAll = (): boolean => true;

/** Applies a deadline; does nothing if the order has moved on in the meantime. */
function decideDeadline(
  order: Order,
  { command, at, takes = takesAll }: DeadlineCommand,
  context: DecisionContext,
): Decision {
  if (!isWaiting(command, order)) return allow(begin(order));
  switch (command) {
    case "draft_expiry":
      return decideDelete(order, "expiry", context);
    case "rejection_expiry": {
      const { detail: reason } = REJECTION_EXPIRED;
      const closing = { by: "ops", reason, closedReason: REJECTION_EXPIRED, cutoffMs: 0 } as const;
      return decideCancel(order, closing, context);
    }
    case "foc_reached":
      return decideFocReached(order, at);
    case "foc_grace":
      return askAgain(order, { kind: "activate", why: GRACE_IS_OVER, takes }, context);
    case "date_confirmation":
      return allow(askForRequestedDate(order, takes("supplement"), context));
    case "carrier_silence":
      return askAgain(order, { kind: unanswered(order), why: CARRIER_IS_SILENT, takes }, context);
  }
}

const GRACE_IS_OVER = "The port date has passed and the carrier has not started the activation.";
const CARRIER_IS_SILENT = "The carrier has not answered.";
const SENT_AGAIN = "The request was sent again.";
const NOT_SENT_AGAIN =
  "The request was not sent again: the carrier's integration does not take requests of this kind.";

/** On the confirmed date the carrier is asked to activate, once per date; a pending cancellation records that it came. */
function decideFocReached(order: Order, dueAt: Date): Decision {
  const decision = begin(order);
  const { foc_actual: date, cancel } = order;
  if (date === null || Date.parse(date) !== dueAt.getTime()) return allow(decision);
  if (hasDateConfirmed(order.status)) {
    return allow(add(decision, { effect: "carrier_task", kind: "activate" }));
  }
  return allow(
    cancel === null ? decision : change(decision, { cancel: { ...cancel, date_came: true } }),
  );
}

/** A request to send again, and the reason to record. */
interface Reminder extends Required<Pick<DeadlineCommand, "takes">> {
  readonly kind: CarrierTaskKind;
  readonly why: string;
}

/**
 * Alerts the desk and sends the request again with the same id; its wait starts again. A task whose request the provider
 * does not take is written too: carrier-adapter, which leaves it out, decides.
 */
function askAgain(
  order: Order,
  { kind, why, takes }: Reminder,
  { now }: DecisionContext,
): Decision {
  const reason = `${why} ${takes(kind) ? SENT_AGAIN : NOT_SENT_AGAIN}`;
  const alerted = change(begin(order), {
    attention: { reason, raised_at: now.toISOString() },
    updated_at: now,
  });
  return allow(add(withSystemComment(alerted, reason), { effect: "carrier_task", kind }));
}

/** The request that the silent carrier has not answered. */
function unanswered(order: Order): CarrierTaskKind {
  if (awaitsCancelAnswer(order)) return "cancel";
  return order.request_version === 1 ? "submit" : "supplement";
}

interface CancelCommand {
  readonly by: "customer" | "ops";
  readonly reason: string | null;
  /** Why, for the desk alone. */
  readonly internalReason?: string | undefined;
  /** Set where the system asks in the name of ops. */
  readonly closedReason?: ClosedReason;
  /** How long before the confirmed date a customer may still cancel. */
  readonly cutoffMs: number;
}

/** Cancels an order: at once if the carrier never received it, otherwise once the carrier has confirmed. */
function decideCancel(
  order: Order,
  { by: askedBy, reason, internalReason, closedReason, cutoffMs }: CancelCommand,
  { now }: DecisionContext,
): Decision {
  const by = askedBy === "customer" ? "customer_cancel" : "ops_close";
  if (targetOf(order, by) === null) {
    return isMovingNumbers(order.status)
      ? refuse(
          "cancel_too_late",
          "The numbers are being moved; only the losing carrier can stop it.",
        )
      : refuse(
          "invalid_state",
          `The order is ${isEnded(order) ? "closed" : "being cancelled"} already (${order.status}).`,
        );
  }
  if (askedBy === "customer" && isPastCutoff(order, cutoffMs, now)) {
    return refuse("cancel_too_late", cutoffText("cancelled", order.foc_actual, cutoffMs));
  }
  const noted = add(
    begin(order),
    { effect: "timeline", kind: "status", data: { cancel_asked_by: askedBy, reason } },
    ...internalNote(internalReason),
  );
  const own = closedReason ?? reasonOfCancel(askedBy, reason);
  if (isEnded({ status: moveOf(order, by) })) {
    const closedBy = order.cancel?.asked_by ?? askedBy;
    return allow(closeOrder(noted, { by, now, closedBy, reason: order.cancel?.reason ?? own }));
  }
  const cancel: CancelRequest = {
    asked_by: askedBy,
    asked_at: now.toISOString(),
    reason: own,
    from_status: order.status,
    noted_status: null,
    noted_foc: null,
  };
  const pending = move(withoutCase(noted), { by, now, fields: { cancel, attention: null } });
  return allow(add(pending, { effect: "carrier_task", kind: "cancel" }));
}

function internalNote(body: string | undefined): Effect[] {
  if (body === undefined) return [];
  const data = { author_type: "ops", body };
  return [{ effect: "timeline", kind: "comment", data, internal: true }];
}
