import type { DeadlineKind } from "../../deadline/deadline.ts";
import { REJECTION_EXPIRED } from "./closed-reason.ts";
import { decideCancel } from "./decide-cancel.ts";
import { withSystemComment } from "./decide-comment.ts";
import { decideDelete } from "./decide-customer.ts";
import type { CarrierTaskKind, DecisionContext } from "./effects.ts";
import type { Order } from "./order.ts";
import { add, allow, begin, change, type Decision } from "./order-decision.ts";
import { factsOf, hasDateConfirmed } from "./status-facts.ts";
import { awaitsCancelAnswer } from "./transitions.ts";

/** The commands triggered by time, one per kind of deadline. */
export interface DeadlineCommand {
  readonly command: DeadlineKind;
  /** When it was due, or when the wait started. */
  readonly at: Date;
  /** Whether the order's provider takes a request of that kind; it takes all unless given. */
  readonly takes?: (kind: CarrierTaskKind) => boolean;
}

const takesAll = (): boolean => true;

/** Applies a deadline; does nothing if the order has moved on in the meantime. */
export function decideDeadline(
  order: Order,
  { command, at, takes = takesAll }: DeadlineCommand,
  context: DecisionContext,
): Decision {
  if (!factsOf(order.status).deadlines.includes(command)) return allow(begin(order));
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
