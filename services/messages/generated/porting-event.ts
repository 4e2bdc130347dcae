// Made from schemas/porting-event.avsc by `npm run messages`; do not edit.
import type { AvroRecordSchema } from "../../platform/avro/schema.ts";
import type { EpochMs } from "../epoch-ms.ts";

/** The type of the event, the dot of its public name written as an underscore. */
export type PortingEventType =
  | "unrecognized"
  | "porting_order_created"
  | "porting_order_split"
  | "porting_order_deleted"
  | "porting_order_status_changed"
  | "porting_order_requirement_updated"
  | "porting_order_new_comment"
  | "porting_order_foc_date_changed"
  | "loa_signed"
  | "number_activated"
  | "number_provider_changed"
  | "call_forwarded"
  | "call_completed"
  | "call_missed"
  | "number_ported_out"
  | "port_out_created"
  | "port_out_status_changed";

/** A porting order as it stood when the event happened. */
export interface PortingOrderSnapshot {
  /** Id of the order. */
  readonly id: string;
  /** Id shared by all orders that came from one request. */
  readonly batch_id: string;
  /** Canonical status, such as draft, in_review or completed. */
  readonly status: string;
  /** Who ended a cancelled order: customer, provider or ops; null while it is not cancelled. */
  readonly closed_by: string | null;
  /** The carrier's raw status, untouched; empty until there is one. */
  readonly provider_status: string;
  /** Two-letter country code of the numbers. */
  readonly country_code: string;
  /** Type of the numbers, such as local, mobile or toll_free. */
  readonly number_type: string;
  /** The customer's own reference; empty where none was given. */
  readonly customer_reference: string;
  /** True when every mandatory requirement has a value, passed its checks and none is in exception. */
  readonly requirements_status: boolean;
  /** Port date that the customer asked for, ISO 8601 with the offset it was given. */
  readonly foc_requested: string | null;
  /** Port date that the carrier confirmed, ISO 8601 with the offset it was given. */
  readonly foc_actual: string | null;
  /** Numbers of the order, in E.164. */
  readonly phone_numbers: readonly string[];
}

/** A draft order was created. */
export interface PortingOrderCreated {
  /** The order. */
  readonly porting_order: PortingOrderSnapshot;
}

/** One of the orders that a request was split into. */
export interface SplitPortingOrder {
  /** Id of the order. */
  readonly id: string;
  /** Its numbers, in E.164. */
  readonly phone_numbers: readonly string[];
  /** Two-letter country code of its numbers. */
  readonly country_code: string;
  /** Type of its numbers. */
  readonly number_type: string;
  /** Carrier that hosts its numbers today; null where unknown. */
  readonly losing_carrier: string | null;
}

/** One request became several orders. */
export interface PortingOrderSplit {
  /** Id shared by the orders. */
  readonly batch_id: string;
  /** The orders, in the order of their creation. */
  readonly porting_orders: readonly SplitPortingOrder[];
}

/** A never-submitted draft was deleted. */
export interface PortingOrderDeleted {
  /** Id of the order that is gone. */
  readonly porting_order_id: string;
  /** Id shared by all orders that came from one request. */
  readonly batch_id: string;
  /** The customer's own reference; empty where none was given. */
  readonly customer_reference: string;
  /** Numbers of the order, in E.164. */
  readonly phone_numbers: readonly string[];
  /** When it was deleted. */
  readonly deleted_at: EpochMs;
  /** Who deleted it: customer or expiry. */
  readonly deleted_by: string;
}

/** An order moved through its lifecycle. */
export interface PortingOrderStatusChanged {
  /** The order after the move. */
  readonly porting_order: PortingOrderSnapshot;
  /** Status before the move. */
  readonly previous_status: string;
  /** Status after the move; equal to the one before where only the port date moved. */
  readonly new_status: string;
}

/** The requirement after the decision. */
export interface ReviewedRequirement {
  /** Name of the requirement, such as loa. */
  readonly slug: string;
  /** requirement-info-exception or approved. */
  readonly status: string;
  /** Why it was rejected; null on approval. */
  readonly reason: string | null;
}

/** A requirement was approved or rejected. */
export interface PortingOrderRequirementUpdated {
  /** Id of the order. */
  readonly porting_order_id: string;
  /** The requirement. */
  readonly requirement: ReviewedRequirement;
}

/** The note. */
export interface PortingOrderComment {
  /** Id of the comment. */
  readonly id: string;
  /** Its text. */
  readonly body: string;
  /** Who wrote it: ops or carrier. */
  readonly author_type: string;
  /** When it was written. */
  readonly created_at: EpochMs;
}

/** The desk or the carrier left a note on an order. */
export interface PortingOrderNewComment {
  /** Id of the order. */
  readonly porting_order_id: string;
  /** The comment. */
  readonly comment: PortingOrderComment;
}

/** A signature was given and the signed letter of authorization was made. */
export interface LoaSigned {
  /** Id of the order. */
  readonly porting_order_id: string;
  /** Id of the signed PDF. */
  readonly document_id: string;
  /** SHA-256 of the PDF, in hex. */
  readonly sha256: string;
  /** Name of the person who signed. */
  readonly signer_name: string;
  /** When it was signed. */
  readonly signed_at: EpochMs;
}

/** A number went live. */
export interface NumberActivated {
  /** The number, in E.164. */
  readonly phone_number: string;
  /** Id of the order that brought it in. */
  readonly porting_order_id: string;
  /** Two-letter country code of the number. */
  readonly country_code: string;
  /** Type of the number. */
  readonly number_type: string;
  /** When it went live. */
  readonly activated_at: EpochMs;
}

/** Operators corrected which provider hosts a number. */
export interface NumberProviderChanged {
  /** The number, in E.164. */
  readonly phone_number: string;
  /** Provider that was on record. */
  readonly previous_provider: string;
  /** Provider that hosts the number. */
  readonly new_provider: string;
  /** True when forwarding is set and its request was queued to the new provider. */
  readonly forwarding_reapplied: boolean;
}

/** A call to a number was forwarded. */
export interface CallForwarded {
  /** Id of the call, the same on all its events. */
  readonly call_id: string;
  /** Number of the account that was called, in E.164. */
  readonly phone_number: string;
  /** Calling party. */
  readonly from: string;
  /** Destination that the call was forwarded to. */
  readonly to: string;
  /** When it happened, by the clock of the call platform or carrier. */
  readonly occurred_at: EpochMs;
  /** Who forwarded it: platform or carrier. */
  readonly forwarded_by: string;
  /** Which destination was tried: primary or fallback. */
  readonly stage: string;
}

/** A forwarded call that was answered ended. */
export interface CallCompleted {
  /** Id of the call, the same on all its events. */
  readonly call_id: string;
  /** Number of the account that was called, in E.164. */
  readonly phone_number: string;
  /** Calling party. */
  readonly from: string;
  /** Destination that the call was forwarded to. */
  readonly to: string;
  /** When it happened, by the clock of the call platform or carrier. */
  readonly occurred_at: EpochMs;
  /** How long it lasted, in seconds. */
  readonly duration_seconds: number;
  /** Who ended it: caller, callee, platform or carrier. */
  readonly ended_by: string;
}

/** A forwarded call was never answered. */
export interface CallMissed {
  /** Id of the call, the same on all its events. */
  readonly call_id: string;
  /** Number of the account that was called, in E.164. */
  readonly phone_number: string;
  /** Calling party. */
  readonly from: string;
  /** Destination that the call was forwarded to. */
  readonly to: string;
  /** When it happened, by the clock of the call platform or carrier. */
  readonly occurred_at: EpochMs;
  /** Why: no_answer, busy, rejected, unreachable, caller_hangup or failed. */
  readonly reason: string;
}

/** A number left the account. */
export interface NumberPortedOut {
  /** The number, in E.164. */
  readonly phone_number: string;
  /** Id of the port-out; null where the number became another account's. */
  readonly port_out_id: string | null;
  /** Carrier that took the number, where known. */
  readonly gaining_carrier: string | null;
  /** When it left. */
  readonly ported_out_at: EpochMs;
}

/** Who decided the port-out, and how. */
export interface PortOutDecision {
  /** Who decided: customer, ops or system. */
  readonly by: string;
  /** When it was decided. */
  readonly at: EpochMs;
  /** Canonical code of a rejection; null on approval. */
  readonly code: string | null;
  /** Reason in words, where one was given. */
  readonly reason: string | null;
}

/** A port-out as it stood when the event happened. */
export interface PortOut {
  /** Id of the port-out. */
  readonly id: string;
  /** Numbers that the gaining carrier asks for, in E.164. */
  readonly phone_numbers: readonly string[];
  /** Status, such as requested, decision_required or approved. */
  readonly status: string;
  /** Carrier that asks for the numbers. */
  readonly gaining_carrier: string;
  /** Port date that it asks for, ISO 8601 with the offset it was given. */
  readonly requested_foc: string;
  /** Confirmed port date, ISO 8601 with the offset it was given. */
  readonly foc_actual: string | null;
  /** When the port-out goes ahead without a decision; null where none is awaited. */
  readonly decision_deadline: EpochMs | null;
  /** The decision; null until there is one. */
  readonly decision: PortOutDecision | null;
  /** Last word of the provider that asked, untouched. */
  readonly provider_status: string | null;
  /** When the request arrived. */
  readonly created_at: EpochMs;
  /** When the port-out last changed. */
  readonly updated_at: EpochMs;
}

/** Another carrier requested numbers of the account. */
export interface PortOutCreated {
  /** The port-out. */
  readonly port_out: PortOut;
}

/** A port-out needs a decision, or was decided, expired or cancelled. */
export interface PortOutStatusChanged {
  /** The port-out after the move. */
  readonly port_out: PortOut;
  /** Status before the move. */
  readonly previous_status: string;
  /** Status after the move. */
  readonly new_status: string;
}

/** What happened: exactly the field named after the event's type is set. */
export interface PortingEventPayload {
  /** Payload of porting_order.created. */
  readonly porting_order_created: PortingOrderCreated | null;
  /** Payload of porting_order.split. */
  readonly porting_order_split: PortingOrderSplit | null;
  /** Payload of porting_order.deleted. */
  readonly porting_order_deleted: PortingOrderDeleted | null;
  /** Payload of porting_order.status_changed. */
  readonly porting_order_status_changed: PortingOrderStatusChanged | null;
  /** Payload of porting_order.requirement_updated. */
  readonly porting_order_requirement_updated: PortingOrderRequirementUpdated | null;
  /** Payload of porting_order.new_comment. */
  readonly porting_order_new_comment: PortingOrderNewComment | null;
  /** Payload of loa.signed. */
  readonly loa_signed: LoaSigned | null;
  /** Payload of number.activated. */
  readonly number_activated: NumberActivated | null;
  /** Payload of number.provider_changed. */
  readonly number_provider_changed: NumberProviderChanged | null;
  /** Payload of call.forwarded. */
  readonly call_forwarded: CallForwarded | null;
  /** Payload of call.completed. */
  readonly call_completed: CallCompleted | null;
  /** Payload of call.missed. */
  readonly call_missed: CallMissed | null;
  /** Payload of number.ported_out. */
  readonly number_ported_out: NumberPortedOut | null;
  /** Payload of port_out.created. */
  readonly port_out_created: PortOutCreated | null;
  /** Payload of port_out.status_changed. */
  readonly port_out_status_changed: PortOutStatusChanged | null;
}

/** Why an order, a requirement or a port-out was rejected or refused. */
export interface EventRejection {
  /** Canonical code, such as account_number_mismatch; other where none was given. */
  readonly code: string;
  /** Requirement to correct; null where the reason concerns none. */
  readonly slug: string | null;
  /** The reason in words, each word that has a digit replaced; null where there are none or the requirement is sensitive. */
  readonly text: string | null;
}

/** Who made the change. */
export type EventActor =
  | "unrecognized"
  | "customer"
  | "desk"
  | "carrier"
  | "system";

/** A meaningful change, told once, in order per sequence_key. Topic porting.events, keyed by sequence_key. */
export interface PortingEvent {
  /** Id of the event, a UUIDv7; webhooks and the events API show the same. */
  readonly id: string;
  /** What happened; names the payload's field that is set. porting_order_foc_date_changed is reserved and never sent. */
  readonly type: PortingEventType;
  /** Account that the event belongs to. */
  readonly account_id: string;
  /** Porting order concerned; for a number's events the one that brought the number in; null where there is none. */
  readonly order_id: string | null;
  /** What the event is ordered within: an order id, a phone number or a port-out id. */
  readonly sequence_key: string;
  /** 1, 2, 3 and so on, without a gap, per sequence_key; null for calls. */
  readonly order_sequence: number | null;
  /** When the change was committed. */
  readonly created_at: EpochMs;
  /** The change itself. */
  readonly payload: PortingEventPayload;
  /** For analytics, never in webhooks: provider of the order, number, call or port-out. */
  readonly provider: string | null;
  /** For analytics: carrier that the order takes its numbers from; null where it is unknown or there is no order. */
  readonly losing_carrier: string | null;
  /** For analytics: type of the numbers of the order or of the number; null for port-outs and calls. */
  readonly number_type: string | null;
  /** For analytics: two-letter country code of the order or of the number; null for port-outs and calls. */
  readonly country_code: string | null;
  /** For analytics: why the change rejected or refused; null where it did not. */
  readonly rejection: EventRejection | null;
  /** For analytics: when the carrier says that it happened; null where no carrier reported it. */
  readonly occurred_at: EpochMs | null;
  /** For analytics: who made the change; null in events of earlier versions. */
  readonly actor: EventActor | null;
}

export const PORTING_EVENT_TEXT = `{
  "type": "record",
  "name": "PortingEvent",
  "namespace": "numberporting",
  "doc": "A meaningful change, told once, in order per sequence_key. Topic porting.events, keyed by sequence_key.",
  "fields": [
    {
      "name": "id",
      "type": "string",
      "doc": "Id of the event, a UUIDv7; webhooks and the events API show the same."
    },
    {
      "name": "type",
      "type": {
        "type": "enum",
        "name": "PortingEventType",
        "doc": "The type of the event, the dot of its public name written as an underscore.",
        "symbols": [
          "unrecognized",
          "porting_order_created",
          "porting_order_split",
          "porting_order_deleted",
          "porting_order_status_changed",
          "porting_order_requirement_updated",
          "porting_order_new_comment",
          "porting_order_foc_date_changed",
          "loa_signed",
          "number_activated",
          "number_provider_changed",
          "call_forwarded",
          "call_completed",
          "call_missed",
          "number_ported_out",
          "port_out_created",
          "port_out_status_changed"
        ],
        "default": "unrecognized"
      },
      "doc": "What happened; names the payload's field that is set. porting_order_foc_date_changed is reserved and never sent."
    },
    { "name": "account_id", "type": "string", "doc": "Account that the event belongs to." },
    {
      "name": "order_id",
      "type": ["null", "string"],
      "default": null,
      "doc": "Porting order concerned; for a number's events the one that brought the number in; null where there is none."
    },
    {
      "name": "sequence_key",
      "type": "string",
      "doc": "What the event is ordered within: an order id, a phone number or a port-out id."
    },
    {
      "name": "order_sequence",
      "type": ["null", "long"],
      "default": null,
      "doc": "1, 2, 3 and so on, without a gap, per sequence_key; null for calls."
    },
    {
      "name": "created_at",
      "type": { "type": "long", "logicalType": "timestamp-millis" },
      "doc": "When the change was committed."
    },
    {
      "name": "payload",
      "type": {
        "type": "record",
        "name": "PortingEventPayload",
        "doc": "What happened: exactly the field named after the event's type is set.",
        "fields": [
          {
            "name": "porting_order_created",
            "type": [
              "null",
              {
                "type": "record",
                "name": "PortingOrderCreated",
                "doc": "A draft order was created.",
                "fields": [
                  {
                    "name": "porting_order",
                    "type": {
                      "type": "record",
                      "name": "PortingOrderSnapshot",
                      "doc": "A porting order as it stood when the event happened.",
                      "fields": [
                        { "name": "id", "type": "string", "doc": "Id of the order." },
                        {
                          "name": "batch_id",
                          "type": "string",
                          "doc": "Id shared by all orders that came from one request."
                        },
                        {
                          "name": "status",
                          "type": "string",
                          "doc": "Canonical status, such as draft, in_review or completed."
                        },
                        {
                          "name": "closed_by",
                          "type": ["null", "string"],
                          "default": null,
                          "doc": "Who ended a cancelled order: customer, provider or ops; null while it is not cancelled."
                        },
                        {
                          "name": "provider_status",
                          "type": "string",
                          "doc": "The carrier's raw status, untouched; empty until there is one."
                        },
                        {
                          "name": "country_code",
                          "type": "string",
                          "doc": "Two-letter country code of the numbers."
                        },
                        {
                          "name": "number_type",
                          "type": "string",
                          "doc": "Type of the numbers, such as local, mobile or toll_free."
                        },
                        {
                          "name": "customer_reference",
                          "type": "string",
                          "doc": "The customer's own reference; empty where none was given."
                        },
                        {
                          "name": "requirements_status",
                          "type": "boolean",
                          "doc": "True when every mandatory requirement has a value, passed its checks and none is in exception."
                        },
                        {
                          "name": "foc_requested",
                          "type": ["null", "string"],
                          "default": null,
                          "doc": "Port date that the customer asked for, ISO 8601 with the offset it was given."
                        },
                        {
                          "name": "foc_actual",
                          "type": ["null", "string"],
                          "default": null,
                          "doc": "Port date that the carrier confirmed, ISO 8601 with the offset it was given."
                        },
                        {
                          "name": "phone_numbers",
                          "type": { "type": "array", "items": "string" },
                          "doc": "Numbers of the order, in E.164."
                        }
                      ]
                    },
                    "doc": "The order."
                  }
                ]
              }
            ],
            "default": null,
            "doc": "Payload of porting_order.created."
          },
          {
            "name": "porting_order_split",
            "type": [
              "null",
              {
                "type": "record",
                "name": "PortingOrderSplit",
                "doc": "One request became several orders.",
                "fields": [
                  { "name": "batch_id", "type": "string", "doc": "Id shared by the orders." },
                  {
                    "name": "porting_orders",
                    "type": {
                      "type": "array",
                      "items": {
                        "type": "record",
                        "name": "SplitPortingOrder",
                        "doc": "One of the orders that a request was split into.",
                        "fields": [
                          { "name": "id", "type": "string", "doc": "Id of the order." },
                          {
                            "name": "phone_numbers",
                            "type": { "type": "array", "items": "string" },
                            "doc": "Its numbers, in E.164."
                          },
                          {
                            "name": "country_code",
                            "type": "string",
                            "doc": "Two-letter country code of its numbers."
                          },
                          { "name": "number_type", "type": "string", "doc": "Type of its numbers." },
                          {
                            "name": "losing_carrier",
                            "type": ["null", "string"],
                            "default": null,
                            "doc": "Carrier that hosts its numbers today; null where unknown."
                          }
                        ]
                      }
                    },
                    "doc": "The orders, in the order of their creation."
                  }
                ]
              }
            ],
            "default": null,
            "doc": "Payload of porting_order.split."
          },
          {
            "name": "porting_order_deleted",
            "type": [
              "null",
              {
                "type": "record",
                "name": "PortingOrderDeleted",
                "doc": "A never-submitted draft was deleted.",
                "fields": [
                  { "name": "porting_order_id", "type": "string", "doc": "Id of the order that is gone." },
                  {
                    "name": "batch_id",
                    "type": "string",
                    "doc": "Id shared by all orders that came from one request."
                  },
                  {
                    "name": "customer_reference",
                    "type": "string",
                    "doc": "The customer's own reference; empty where none was given."
                  },
                  {
                    "name": "phone_numbers",
                    "type": { "type": "array", "items": "string" },
                    "doc": "Numbers of the order, in E.164."
                  },
                  {
                    "name": "deleted_at",
                    "type": { "type": "long", "logicalType": "timestamp-millis" },
                    "doc": "When it was deleted."
                  },
                  { "name": "deleted_by", "type": "string", "doc": "Who deleted it: customer or expiry." }
                ]
              }
            ],
            "default": null,
            "doc": "Payload of porting_order.deleted."
          },
          {
            "name": "porting_order_status_changed",
            "type": [
              "null",
              {
                "type": "record",
                "name": "PortingOrderStatusChanged",
                "doc": "An order moved through its lifecycle.",
                "fields": [
                  {
                    "name": "porting_order",
                    "type": "PortingOrderSnapshot",
                    "doc": "The order after the move."
                  },
                  { "name": "previous_status", "type": "string", "doc": "Status before the move." },
                  {
                    "name": "new_status",
                    "type": "string",
                    "doc": "Status after the move; equal to the one before where only the port date moved."
                  }
                ]
              }
            ],
            "default": null,
            "doc": "Payload of porting_order.status_changed."
          },
          {
            "name": "porting_order_requirement_updated",
            "type": [
              "null",
              {
                "type": "record",
                "name": "PortingOrderRequirementUpdated",
                "doc": "A requirement was approved or rejected.",
                "fields": [
                  { "name": "porting_order_id", "type": "string", "doc": "Id of the order." },
                  {
                    "name": "requirement",
                    "type": {
                      "type": "record",
                      "name": "ReviewedRequirement",
                      "doc": "The requirement after the decision.",
                      "fields": [
                        { "name": "slug", "type": "string", "doc": "Name of the requirement, such as loa." },
                        {
                          "name": "status",
                          "type": "string",
                          "doc": "requirement-info-exception or approved."
                        },
                        {
                          "name": "reason",
                          "type": ["null", "string"],
                          "default": null,
                          "doc": "Why it was rejected; null on approval."
                        }
                      ]
                    },
                    "doc": "The requirement."
                  }
                ]
              }
            ],
            "default": null,
            "doc": "Payload of porting_order.requirement_updated."
          },
          {
            "name": "porting_order_new_comment",
            "type": [
              "null",
              {
                "type": "record",
                "name": "PortingOrderNewComment",
                "doc": "The desk or the carrier left a note on an order.",
                "fields": [
                  { "name": "porting_order_id", "type": "string", "doc": "Id of the order." },
                  {
                    "name": "comment",
                    "type": {
                      "type": "record",
                      "name": "PortingOrderComment",
                      "doc": "The note.",
                      "fields": [
                        { "name": "id", "type": "string", "doc": "Id of the comment." },
                        { "name": "body", "type": "string", "doc": "Its text." },
                        { "name": "author_type", "type": "string", "doc": "Who wrote it: ops or carrier." },
                        {
                          "name": "created_at",
                          "type": { "type": "long", "logicalType": "timestamp-millis" },
                          "doc": "When it was written."
                        }
                      ]
                    },
                    "doc": "The comment."
                  }
                ]
              }
            ],
            "default": null,
            "doc": "Payload of porting_order.new_comment."
          },
          {
            "name": "loa_signed",
            "type": [
              "null",
              {
                "type": "record",
                "name": "LoaSigned",
                "doc": "A signature was given and the signed letter of authorization was made.",
                "fields": [
                  { "name": "porting_order_id", "type": "string", "doc": "Id of the order." },
                  { "name": "document_id", "type": "string", "doc": "Id of the signed PDF." },
                  { "name": "sha256", "type": "string", "doc": "SHA-256 of the PDF, in hex." },
                  { "name": "signer_name", "type": "string", "doc": "Name of the person who signed." },
                  {
                    "name": "signed_at",
                    "type": { "type": "long", "logicalType": "timestamp-millis" },
                    "doc": "When it was signed."
                  }
                ]
              }
            ],
            "default": null,
            "doc": "Payload of loa.signed."
          },
          {
            "name": "number_activated",
            "type": [
              "null",
              {
                "type": "record",
                "name": "NumberActivated",
                "doc": "A number went live.",
                "fields": [
                  { "name": "phone_number", "type": "string", "doc": "The number, in E.164." },
                  {
                    "name": "porting_order_id",
                    "type": "string",
                    "doc": "Id of the order that brought it in."
                  },
                  {
                    "name": "country_code",
                    "type": "string",
                    "doc": "Two-letter country code of the number."
                  },
                  { "name": "number_type", "type": "string", "doc": "Type of the number." },
                  {
                    "name": "activated_at",
                    "type": { "type": "long", "logicalType": "timestamp-millis" },
                    "doc": "When it went live."
                  }
                ]
              }
            ],
            "default": null,
            "doc": "Payload of number.activated."
          },
          {
            "name": "number_provider_changed",
            "type": [
              "null",
              {
                "type": "record",
                "name": "NumberProviderChanged",
                "doc": "Operators corrected which provider hosts a number.",
                "fields": [
                  { "name": "phone_number", "type": "string", "doc": "The number, in E.164." },
                  { "name": "previous_provider", "type": "string", "doc": "Provider that was on record." },
                  { "name": "new_provider", "type": "string", "doc": "Provider that hosts the number." },
                  {
                    "name": "forwarding_reapplied",
                    "type": "boolean",
                    "doc": "True when forwarding is set and its request was queued to the new provider."
                  }
                ]
              }
            ],
            "default": null,
            "doc": "Payload of number.provider_changed."
          },
          {
            "name": "call_forwarded",
            "type": [
              "null",
              {
                "type": "record",
                "name": "CallForwarded",
                "doc": "A call to a number was forwarded.",
                "fields": [
                  {
                    "name": "call_id",
                    "type": "string",
                    "doc": "Id of the call, the same on all its events."
                  },
                  {
                    "name": "phone_number",
                    "type": "string",
                    "doc": "Number of the account that was called, in E.164."
                  },
                  { "name": "from", "type": "string", "doc": "Calling party." },
                  { "name": "to", "type": "string", "doc": "Destination that the call was forwarded to." },
                  {
                    "name": "occurred_at",
                    "type": { "type": "long", "logicalType": "timestamp-millis" },
                    "doc": "When it happened, by the clock of the call platform or carrier."
                  },
                  {
                    "name": "forwarded_by",
                    "type": "string",
                    "doc": "Who forwarded it: platform or carrier."
                  },
                  {
                    "name": "stage",
                    "type": "string",
                    "doc": "Which destination was tried: primary or fallback."
                  }
                ]
              }
            ],
            "default": null,
            "doc": "Payload of call.forwarded."
          },
          {
            "name": "call_completed",
            "type": [
              "null",
              {
                "type": "record",
                "name": "CallCompleted",
                "doc": "A forwarded call that was answered ended.",
                "fields": [
                  {
                    "name": "call_id",
                    "type": "string",
                    "doc": "Id of the call, the same on all its events."
                  },
                  {
                    "name": "phone_number",
                    "type": "string",
                    "doc": "Number of the account that was called, in E.164."
                  },
                  { "name": "from", "type": "string", "doc": "Calling party." },
                  { "name": "to", "type": "string", "doc": "Destination that the call was forwarded to." },
                  {
                    "name": "occurred_at",
                    "type": { "type": "long", "logicalType": "timestamp-millis" },
                    "doc": "When it happened, by the clock of the call platform or carrier."
                  },
                  { "name": "duration_seconds", "type": "int", "doc": "How long it lasted, in seconds." },
                  {
                    "name": "ended_by",
                    "type": "string",
                    "doc": "Who ended it: caller, callee, platform or carrier."
                  }
                ]
              }
            ],
            "default": null,
            "doc": "Payload of call.completed."
          },
          {
            "name": "call_missed",
            "type": [
              "null",
              {
                "type": "record",
                "name": "CallMissed",
                "doc": "A forwarded call was never answered.",
                "fields": [
                  {
                    "name": "call_id",
                    "type": "string",
                    "doc": "Id of the call, the same on all its events."
                  },
                  {
                    "name": "phone_number",
                    "type": "string",
                    "doc": "Number of the account that was called, in E.164."
                  },
                  { "name": "from", "type": "string", "doc": "Calling party." },
                  { "name": "to", "type": "string", "doc": "Destination that the call was forwarded to." },
                  {
                    "name": "occurred_at",
                    "type": { "type": "long", "logicalType": "timestamp-millis" },
                    "doc": "When it happened, by the clock of the call platform or carrier."
                  },
                  {
                    "name": "reason",
                    "type": "string",
                    "doc": "Why: no_answer, busy, rejected, unreachable, caller_hangup or failed."
                  }
                ]
              }
            ],
            "default": null,
            "doc": "Payload of call.missed."
          },
          {
            "name": "number_ported_out",
            "type": [
              "null",
              {
                "type": "record",
                "name": "NumberPortedOut",
                "doc": "A number left the account.",
                "fields": [
                  { "name": "phone_number", "type": "string", "doc": "The number, in E.164." },
                  {
                    "name": "port_out_id",
                    "type": ["null", "string"],
                    "default": null,
                    "doc": "Id of the port-out; null where the number became another account's."
                  },
                  {
                    "name": "gaining_carrier",
                    "type": ["null", "string"],
                    "default": null,
                    "doc": "Carrier that took the number, where known."
                  },
                  {
                    "name": "ported_out_at",
                    "type": { "type": "long", "logicalType": "timestamp-millis" },
                    "doc": "When it left."
                  }
                ]
              }
            ],
            "default": null,
            "doc": "Payload of number.ported_out."
          },
          {
            "name": "port_out_created",
            "type": [
              "null",
              {
                "type": "record",
                "name": "PortOutCreated",
                "doc": "Another carrier requested numbers of the account.",
                "fields": [
                  {
                    "name": "port_out",
                    "type": {
                      "type": "record",
                      "name": "PortOut",
                      "doc": "A port-out as it stood when the event happened.",
                      "fields": [
                        { "name": "id", "type": "string", "doc": "Id of the port-out." },
                        {
                          "name": "phone_numbers",
                          "type": { "type": "array", "items": "string" },
                          "doc": "Numbers that the gaining carrier asks for, in E.164."
                        },
                        {
                          "name": "status",
                          "type": "string",
                          "doc": "Status, such as requested, decision_required or approved."
                        },
                        {
                          "name": "gaining_carrier",
                          "type": "string",
                          "doc": "Carrier that asks for the numbers."
                        },
                        {
                          "name": "requested_foc",
                          "type": "string",
                          "doc": "Port date that it asks for, ISO 8601 with the offset it was given."
                        },
                        {
                          "name": "foc_actual",
                          "type": ["null", "string"],
                          "default": null,
                          "doc": "Confirmed port date, ISO 8601 with the offset it was given."
                        },
                        {
                          "name": "decision_deadline",
                          "type": ["null", { "type": "long", "logicalType": "timestamp-millis" }],
                          "default": null,
                          "doc": "When the port-out goes ahead without a decision; null where none is awaited."
                        },
                        {
                          "name": "decision",
                          "type": [
                            "null",
                            {
                              "type": "record",
                              "name": "PortOutDecision",
                              "doc": "Who decided the port-out, and how.",
                              "fields": [
                                {
                                  "name": "by",
                                  "type": "string",
                                  "doc": "Who decided: customer, ops or system."
                                },
                                {
                                  "name": "at",
                                  "type": { "type": "long", "logicalType": "timestamp-millis" },
                                  "doc": "When it was decided."
                                },
                                {
                                  "name": "code",
                                  "type": ["null", "string"],
                                  "default": null,
                                  "doc": "Canonical code of a rejection; null on approval."
                                },
                                {
                                  "name": "reason",
                                  "type": ["null", "string"],
                                  "default": null,
                                  "doc": "Reason in words, where one was given."
                                }
                              ]
                            }
                          ],
                          "default": null,
                          "doc": "The decision; null until there is one."
                        },
                        {
                          "name": "provider_status",
                          "type": ["null", "string"],
                          "default": null,
                          "doc": "Last word of the provider that asked, untouched."
                        },
                        {
                          "name": "created_at",
                          "type": { "type": "long", "logicalType": "timestamp-millis" },
                          "doc": "When the request arrived."
                        },
                        {
                          "name": "updated_at",
                          "type": { "type": "long", "logicalType": "timestamp-millis" },
                          "doc": "When the port-out last changed."
                        }
                      ]
                    },
                    "doc": "The port-out."
                  }
                ]
              }
            ],
            "default": null,
            "doc": "Payload of port_out.created."
          },
          {
            "name": "port_out_status_changed",
            "type": [
              "null",
              {
                "type": "record",
                "name": "PortOutStatusChanged",
                "doc": "A port-out needs a decision, or was decided, expired or cancelled.",
                "fields": [
                  { "name": "port_out", "type": "PortOut", "doc": "The port-out after the move." },
                  { "name": "previous_status", "type": "string", "doc": "Status before the move." },
                  { "name": "new_status", "type": "string", "doc": "Status after the move." }
                ]
              }
            ],
            "default": null,
            "doc": "Payload of port_out.status_changed."
          }
        ]
      },
      "doc": "The change itself."
    },
    {
      "name": "provider",
      "type": ["null", "string"],
      "default": null,
      "doc": "For analytics, never in webhooks: provider of the order, number, call or port-out."
    },
    {
      "name": "losing_carrier",
      "type": ["null", "string"],
      "default": null,
      "doc": "For analytics: carrier that the order takes its numbers from; null where it is unknown or there is no order."
    },
    {
      "name": "number_type",
      "type": ["null", "string"],
      "default": null,
      "doc": "For analytics: type of the numbers of the order or of the number; null for port-outs and calls."
    },
    {
      "name": "country_code",
      "type": ["null", "string"],
      "default": null,
      "doc": "For analytics: two-letter country code of the order or of the number; null for port-outs and calls."
    },
    {
      "name": "rejection",
      "type": [
        "null",
        {
          "type": "record",
          "name": "EventRejection",
          "doc": "Why an order, a requirement or a port-out was rejected or refused.",
          "fields": [
            {
              "name": "code",
              "type": "string",
              "doc": "Canonical code, such as account_number_mismatch; other where none was given."
            },
            {
              "name": "slug",
              "type": ["null", "string"],
              "default": null,
              "doc": "Requirement to correct; null where the reason concerns none."
            },
            {
              "name": "text",
              "type": ["null", "string"],
              "default": null,
              "doc": "The reason in words, each word that has a digit replaced; null where there are none or the requirement is sensitive."
            }
          ]
        }
      ],
      "default": null,
      "doc": "For analytics: why the change rejected or refused; null where it did not."
    },
    {
      "name": "occurred_at",
      "type": ["null", { "type": "long", "logicalType": "timestamp-millis" }],
      "default": null,
      "doc": "For analytics: when the carrier says that it happened; null where no carrier reported it."
    },
    {
      "name": "actor",
      "type": [
        "null",
        {
          "type": "enum",
          "name": "EventActor",
          "doc": "Who made the change.",
          "symbols": ["unrecognized", "customer", "desk", "carrier", "system"],
          "default": "unrecognized"
        }
      ],
      "default": null,
      "doc": "For analytics: who made the change; null in events of earlier versions."
    }
  ]
}
`;

export const PORTING_EVENT_SCHEMA = JSON.parse(PORTING_EVENT_TEXT) as AvroRecordSchema;
