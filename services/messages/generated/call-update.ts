// Made from schemas/call-update.avsc by `npm run messages`; do not edit.
import type { AvroRecordSchema } from "../../platform/avro/schema.ts";
import type { EpochMs } from "../epoch-ms.ts";

/** What happened to the call. */
export type CallUpdateKind =
  | "unrecognized"
  | "forwarded"
  | "completed"
  | "missed";

/** Who can forward a call. */
export type CallForwarder =
  | "unrecognized"
  | "platform"
  | "carrier";

/** Which destination was tried. */
export type CallForwardingStage =
  | "unrecognized"
  | "primary"
  | "fallback";

/** Who can end a call. */
export type CallEnder =
  | "unrecognized"
  | "caller"
  | "callee"
  | "platform"
  | "carrier";

/** Why a call was not answered. */
export type CallMissedReason =
  | "unrecognized"
  | "no_answer"
  | "busy"
  | "rejected"
  | "unreachable"
  | "caller_hangup"
  | "failed";

/** What the call platform or a carrier says about a forwarded call. Topic carriers.calls, keyed by phone number. */
export interface CallUpdate {
  /** The provider's id of the call, the same on all its updates. */
  readonly call_id: string;
  /** Provider that says it. */
  readonly provider: string;
  /** Number that was called, in E.164. */
  readonly phone_number: string;
  /** What happened to the call. */
  readonly kind: CallUpdateKind;
  /** Calling party. */
  readonly from: string;
  /** Destination that the call was forwarded to. */
  readonly to: string;
  /** Who forwarded it; set for forwarded. */
  readonly forwarded_by: CallForwarder | null;
  /** Which destination was tried; set for forwarded. */
  readonly stage: CallForwardingStage | null;
  /** How long the call lasted, in seconds; set for completed. */
  readonly duration_seconds: number | null;
  /** Who ended it; set for completed. */
  readonly ended_by: CallEnder | null;
  /** Why it was not answered; set for missed. */
  readonly reason: CallMissedReason | null;
  /** When it happened, by the provider's clock. */
  readonly occurred_at: EpochMs;
}

export const CALL_UPDATE_TEXT = `{
  "type": "record",
  "name": "CallUpdate",
  "namespace": "numberporting",
  "doc": "What the call platform or a carrier says about a forwarded call. Topic carriers.calls, keyed by phone number.",
  "fields": [
    {
      "name": "call_id",
      "type": "string",
      "doc": "The provider's id of the call, the same on all its updates."
    },
    { "name": "provider", "type": "string", "doc": "Provider that says it." },
    { "name": "phone_number", "type": "string", "doc": "Number that was called, in E.164." },
    {
      "name": "kind",
      "type": {
        "type": "enum",
        "name": "CallUpdateKind",
        "doc": "What happened to the call.",
        "symbols": ["unrecognized", "forwarded", "completed", "missed"],
        "default": "unrecognized"
      },
      "doc": "What happened to the call."
    },
    { "name": "from", "type": "string", "doc": "Calling party." },
    { "name": "to", "type": "string", "doc": "Destination that the call was forwarded to." },
    {
      "name": "forwarded_by",
      "type": [
        "null",
        {
          "type": "enum",
          "name": "CallForwarder",
          "doc": "Who can forward a call.",
          "symbols": ["unrecognized", "platform", "carrier"],
          "default": "unrecognized"
        }
      ],
      "default": null,
      "doc": "Who forwarded it; set for forwarded."
    },
    {
      "name": "stage",
      "type": [
        "null",
        {
          "type": "enum",
          "name": "CallForwardingStage",
          "doc": "Which destination was tried.",
          "symbols": ["unrecognized", "primary", "fallback"],
          "default": "unrecognized"
        }
      ],
      "default": null,
      "doc": "Which destination was tried; set for forwarded."
    },
    {
      "name": "duration_seconds",
      "type": ["null", "int"],
      "default": null,
      "doc": "How long the call lasted, in seconds; set for completed."
    },
    {
      "name": "ended_by",
      "type": [
        "null",
        {
          "type": "enum",
          "name": "CallEnder",
          "doc": "Who can end a call.",
          "symbols": ["unrecognized", "caller", "callee", "platform", "carrier"],
          "default": "unrecognized"
        }
      ],
      "default": null,
      "doc": "Who ended it; set for completed."
    },
    {
      "name": "reason",
      "type": [
        "null",
        {
          "type": "enum",
          "name": "CallMissedReason",
          "doc": "Why a call was not answered.",
          "symbols": [
            "unrecognized",
            "no_answer",
            "busy",
            "rejected",
            "unreachable",
            "caller_hangup",
            "failed"
          ],
          "default": "unrecognized"
        }
      ],
      "default": null,
      "doc": "Why it was not answered; set for missed."
    },
    {
      "name": "occurred_at",
      "type": { "type": "long", "logicalType": "timestamp-millis" },
      "doc": "When it happened, by the provider's clock."
    }
  ]
}
`;

export const CALL_UPDATE_SCHEMA = JSON.parse(CALL_UPDATE_TEXT) as AvroRecordSchema;
