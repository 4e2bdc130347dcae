import type { OrderRequirement } from "../../requirement/rules/requirement.ts";

/** The canonical statuses (docs/contract/interface-specification.md, States and transitions). */
export const ORDER_STATUSES = [
  "draft",
  "in_review",
  "submitted",
  "in_process",
  "rejection",
  "foc_scheduled",
  "activating",
  "completed",
  "completed_partial",
  "cancel_pending",
  "cancelled",
] as const;

export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** Where every order begins. */
export const INITIAL_STATUS: OrderStatus = "draft";

export type NumberStatus = "pending" | "activating" | "active" | "failed" | "cancelled";

export interface OrderNumber {
  readonly phone_number: string;
  readonly status: NumberStatus;
  readonly failure_code: string | null;
  readonly activated_at: Date | null;
}

export interface OrderException {
  readonly code: string | null;
  readonly detail: string;
  readonly slug: string | null;
  readonly raised_by: "desk" | "carrier";
  readonly raised_at: string;
}

export type ClosedBy = "customer" | "provider" | "ops";

/** Why an order ended, and who gave the reason (docs/contract/customer-api.md, Porting orders). */
export interface ClosedReason {
  /** A carrier's canonical code, or `draft_expired`, `rejection_expired`; null for the words of a person. */
  readonly code: string | null;
  readonly detail: string;
  readonly raised_by: "customer" | "desk" | "carrier" | "system";
}

/** A requested cancellation; it is kept after the status changes, because the carrier may port anyway. */
export interface CancelRequest {
  readonly asked_by: "customer" | "ops";
  readonly asked_at: string;
  readonly reason: ClosedReason;
  /** The earlier status, to which the order returns if the carrier refuses. */
  readonly from_status: OrderStatus;
  /** What the carrier reported in the meantime: a later status and its FOC date. */
  readonly noted_status: OrderStatus | null;
  readonly noted_foc: string | null;
  /** When the carrier said that date; absent where it said none, and from cancellations of before this was kept. */
  readonly noted_foc_said_at?: string;
  /** The confirmed date came while the cancellation was pending, so the carrier was not asked to activate. */
  readonly date_came?: boolean;
}

export type ChangeStatus = "pending" | "accepted" | "refused" | "withdrawn";

/** What the customer asks its carrier to change after the order was submitted. */
export interface OrderChange {
  readonly id: string;
  readonly status: ChangeStatus;
  /** Null where the date is to stay. */
  readonly foc_requested: string | null;
  readonly remove_phone_numbers: readonly string[];
  readonly reason: string | null;
  /** The requests that are about it: its own, and the one that takes it back. */
  readonly versions: readonly number[];
  /** Why it was refused or withdrawn. */
  readonly detail: string | null;
  readonly created_at: string;
  readonly decided_at: string | null;
}

/** An alert that only the desk can resolve. */
export interface Attention {
  readonly reason: string;
  readonly raised_at: string;
}

/** A porting order as stored, with its numbers. `foc_*` dates keep the UTC offset with which they were sent. */
export interface Order {
  readonly id: string;
  readonly account_id: string;
  readonly batch_id: string;
  readonly status: OrderStatus;
  readonly closed_by: ClosedBy | null;
  readonly closed_reason: ClosedReason | null;
  readonly provider: string;
  readonly provider_status: string;
  readonly provider_status_at: Date | null;
  readonly country_code: string;
  readonly number_type: string;
  readonly losing_carrier: string | null;
  readonly customer_reference: string;
  readonly webhook_url: string | null;
  readonly requirements_status: boolean;
  readonly foc_requested: string | null;
  readonly foc_actual: string | null;
  /** When the carrier said `foc_actual`; null without a date, and for dates of before this was kept. */
  readonly foc_said_at: Date | null;
  /** How often the order was sent to the carrier, as a submit or supplement; 0 means never. */
  readonly request_version: number;
  /** The attempt of the latest case at the desk; 0 before the first. */
  readonly review_attempt: number;
  readonly exceptions: readonly OrderException[];
  readonly cancel: CancelRequest | null;
  readonly attention: Attention | null;
  /** What was asked for after it was submitted, the oldest first. */
  readonly changes: readonly OrderChange[];
  readonly requirements: readonly OrderRequirement[];
  readonly numbers: readonly OrderNumber[];
  /** `order_sequence` of the order's latest event. */
  readonly event_sequence: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly submitted_at: Date | null;
  readonly closed_at: Date | null;
  readonly deleted_at: Date | null;
}

/** Who performed an action, as shown in the timeline. */
export interface Actor {
  readonly type: "customer" | "desk" | "carrier" | "system";
  readonly id: string | null;
  readonly name: string | null;
}

export const SYSTEM_ACTOR: Actor = { type: "system", id: null, name: null };
