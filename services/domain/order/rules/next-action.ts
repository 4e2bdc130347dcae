import { PLATFORM_PROVIDER, platformPortOutRef } from "../../../messages/platform-provider.ts";
import type { WaitKind } from "../../deadline/deadline.ts";
import { readinessOf } from "../../requirement/rules/readiness.ts";
import { isDesksOwn } from "./desk-owned.ts";
import { isEarlyDateAlert, needsConfirmation } from "./order-changes.ts";
import type { Order } from "./order.ts";
import {
  factsOf,
  hasDateConfirmed,
  isMovingNumbers,
  type Action,
  type ActionByOrder,
} from "./status-facts.ts";

/** Waits that end by themselves: with the order's expiry, or with the carrier asked for the requested date. */
const EXPIRY_KINDS = [
  "draft_expiry",
  "rejection_expiry",
  "date_confirmation",
] as const satisfies WaitKind[];

export type ExpiryKind = (typeof EXPIRY_KINDS)[number];

/** How long a draft, a rejection and an earlier date may stay untouched, in milliseconds; 0 means forever. */
export type ExpirySpans = Readonly<Record<ExpiryKind, number>>;

/** When something happens by itself with orders whose date does not say it, by order id. */
export type DueTimes = ReadonlyMap<string, Date>;

/** Where the time is stored at which something happens by itself with an order; all null where nothing does. */
interface AwaitedTime {
  readonly order_id: string;
  readonly expiry: ExpiryKind | null;
  /** The open review case. */
  readonly attempt: number | null;
  /** The port-out of the account here that holds the numbers. */
  readonly port_out_ref: string | null;
}

export function awaitedTimeOf(order: Order): AwaitedTime {
  const { id, provider, status, review_attempt, request_version } = order;
  const { deadlines, underReview, awaited } = factsOf(status);
  const awaitsAnswer = awaited === "acknowledged" || awaited === "carrier_date";
  return {
    order_id: id,
    expiry: EXPIRY_KINDS.find((kind) => deadlines.includes(kind) && isDue(kind, order)) ?? null,
    attempt: underReview ? review_attempt : null,
    port_out_ref:
      provider === PLATFORM_PROVIDER && awaitsAnswer
        ? platformPortOutRef({ order_id: id, request_version })
        : null,
  };
}

function isDue(kind: ExpiryKind, order: Order): boolean {
  return kind !== "date_confirmation" || needsConfirmation(order);
}

/** When an order expires that has been untouched since; null if that kind of expiry is switched off. */
export function expiryOf(kind: ExpiryKind, since: Date, spans: ExpirySpans): Date | null {
  const span = spans[kind];
  return span === 0 ? null : new Date(since.getTime() + span);
}

/** The expiries of new drafts, which nobody has touched yet. */
export function dueTimesOfDrafts(drafts: readonly Order[], spans: ExpirySpans): DueTimes {
  const times = drafts.flatMap(({ id, created_at }): [string, Date][] => {
    const at = expiryOf("draft_expiry", created_at, spans);
    return at === null ? [] : [[id, at]];
  });
  return new Map(times);
}

interface NextAction {
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
  const { attention } = order;
  const isToConfirm = needsConfirmation(order);
  const isAlerted = attention !== null && !(isToConfirm && isEarlyDateAlert(attention));
  if (isDesksOwn(order) || (isAlerted && !beforeDesk)) {
    return { actor: "desk", action: "handle_exception", due_at };
  }
  if (isToConfirm) return { actor: "customer", action: "confirm_date", due_at };
  return { actor, action: isByOrder(action) ? CHOOSERS[action](order, now) : action, due_at };
}

function dueAt({ id, status, foc_actual: date }: Order, due: DueTimes): Date | null {
  const isDated = hasDateConfirmed(status) || isMovingNumbers(status);
  const at = due.get(id) ?? null;
  if (!isDated || date === null) return isDated ? null : at;
  const moves = new Date(date);
  return at !== null && at < moves ? at : moves;
}
