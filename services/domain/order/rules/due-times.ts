import type { WaitKind } from "../../deadline/deadline.ts";
import { platformPortOutRef } from "../../../messages/platform-port-out-ref.ts";
import { PLATFORM_PROVIDER } from "../../../messages/platform-provider.ts";
import type { Order } from "./order.ts";
import { factsOf, hasDateConfirmed } from "./status-facts.ts";

/** Waits that end by themselves with the order's expiry. */
export const EXPIRY_KINDS = ["draft_expiry", "rejection_expiry"] as const satisfies WaitKind[];

export type ExpiryKind = (typeof EXPIRY_KINDS)[number];

/** How long a draft and a rejection may stay untouched, in milliseconds; 0 means forever. */
export type ExpirySpans = Readonly<Record<ExpiryKind, number>>;

/** When something happens by itself with orders whose date does not say it, by order id. */
export type DueTimes = ReadonlyMap<string, Date>;

/** Where the time is stored at which something happens by itself with an order; all null where nothing does. */
export interface AwaitedTime {
  readonly order_id: string;
  readonly expiry: ExpiryKind | null;
  /** The open review case. */
  readonly attempt: number | null;
  /** The port-out of the account here that holds the numbers. */
  readonly port_out_ref: string | null;
}

export function awaitedTimeOf(order: Order): AwaitedTime {
  const { id, provider, status, review_attempt, request_version } = order;
  const { deadlines, underReview, nextStep } = factsOf(status);
  const awaitsAnswer = nextStep !== null && !hasDateConfirmed(status);
  return {
    order_id: id,
    expiry: EXPIRY_KINDS.find((kind) => deadlines.includes(kind)) ?? null,
    attempt: underReview ? review_attempt : null,
    port_out_ref:
      provider === PLATFORM_PROVIDER && awaitsAnswer
        ? platformPortOutRef({ order_id: id, request_version })
        : null,
  };
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
