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

/** A cancellation that was asked for: it outlives the status, for the carrier may port all the same. */
export interface CancelRequest {
  readonly asked_by: "customer" | "ops";
  readonly asked_at: string;
  /** Where the order stood, and returns to when the carrier refuses. */
  readonly from_status: OrderStatus;
  /** What the carrier said meanwhile: a later status, and the date that belongs to it. */
  readonly noted_status: OrderStatus | null;
  readonly noted_foc: string | null;
  /** The confirmed date came while the cancellation waited, so that the carrier was told nothing. */
  readonly date_came?: boolean;
}

/** Something that only the desk can settle. */
export interface Attention {
  readonly reason: string;
  readonly raised_at: string;
}

/** A porting order as it is stored, its numbers included. `foc_*` keep the offset that they were given. */
export interface Order {
  readonly id: string;
  readonly account_id: string;
  readonly batch_id: string;
  readonly status: OrderStatus;
  readonly closed_by: ClosedBy | null;
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
  /** How often the order has left for the carrier as a submit or supplement; from 1 on it is "once sent". */
  readonly request_version: number;
  /** The attempt of the latest case at the desk; 0 before the first. */
  readonly review_attempt: number;
  readonly exceptions: readonly OrderException[];
  readonly cancel: CancelRequest | null;
  readonly attention: Attention | null;
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

/** Who did something, as the timeline shows it. */
export interface Actor {
  readonly type: "customer" | "desk" | "carrier" | "system";
  readonly id: string | null;
  readonly name: string | null;
}

export const SYSTEM_ACTOR: Actor = { type: "system", id: null, name: null };
