import type { Fault } from "../../../platform/errors.ts";
import type { EventPayload, SentEventType } from "../../../messages/events.ts";
import type { DateKind, WaitKind } from "../../deadline/deadline.ts";
import type { Blocker } from "../../requirement/rules/readiness.ts";
import type { Actor } from "./order.ts";

/** A comment on an order. */
export interface Comment {
  readonly id: string;
  readonly author_type: "customer" | "ops" | "carrier" | "system";
  readonly author_id: string | null;
  readonly body: string;
}

/** The kinds of request to a carrier about an order. */
export type CarrierTaskKind = "submit" | "supplement" | "cancel" | "activate";

type TimelineKind =
  | "status"
  | "requirement"
  | "comment"
  | "number"
  | "change"
  | "order"
  | "carrier"
  | "document"
  | "ignored";

type EventEffect = {
  readonly [T in SentEventType]: {
    readonly effect: "event";
    readonly type: T;
    readonly payload: EventPayload<T>;
  };
}[SentEventType];

/** An effect of a decision besides the changed order; effects are applied in sequence. */
export type Effect =
  | EventEffect
  | {
      readonly effect: "timeline";
      readonly kind: TimelineKind;
      readonly data: Readonly<Record<string, unknown>>;
      /** Shown to the desk alone. */
      readonly internal?: boolean;
    }
  | {
      readonly effect: "review_request";
      readonly kind: "open_case" | "withdraw_case";
      readonly attempt: number;
    }
  | {
      readonly effect: "review_request";
      readonly kind: "check_document";
      readonly attempt: number;
      readonly slug: string;
      readonly document_id: string;
    }
  | {
      readonly effect: "carrier_task";
      readonly kind: CarrierTaskKind;
    }
  | {
      readonly effect: "deadline";
      readonly kind: DateKind;
      /** Null removes the deadline. */
      readonly due_at: Date | null;
    }
  | {
      readonly effect: "wait";
      readonly kind: WaitKind;
      /** Null ends the wait. */
      readonly since: Date | null;
    }
  | { readonly effect: "comment"; readonly comment: Comment }
  /** A comment by the service itself; its id is assigned when it is written. */
  | {
      readonly effect: "system_comment";
      readonly body: string;
      /** Shown to the desk alone. */
      readonly internal: boolean;
    }
  | {
      readonly effect: "number_active";
      readonly phone_number: string;
      readonly activated_at: Date;
    };

/** A command that the order's state does not allow; it has no effect. */
export interface Refusal {
  readonly code:
    | "invalid_state"
    | "not_ready"
    | "cancel_too_late"
    | "change_too_late"
    | "quota_exceeded"
    | "validation_failed";
  readonly detail: string;
  readonly blocking?: readonly Blocker[];
  /** Faults of the request itself, given the order. */
  readonly faults?: readonly Fault[];
}

export interface DecisionContext {
  readonly actor: Actor;
  readonly now: Date;
  /** How long a date before the requested one waits to be confirmed, where a decision can begin that wait; 0 means forever. */
  readonly confirmMs?: number;
}
