// Made from schemas/carrier-update.avsc by `npm run messages`; do not edit.
import type { AvroRecordSchema } from "../../platform/avro/schema.ts";
import type { EpochMs } from "../epoch-ms.ts";

/** What the word means. */
export type CarrierUpdateKind =
  | "unrecognized"
  | "acknowledged"
  | "date_confirmed"
  | "date_moved"
  | "rejected"
  | "refused"
  | "activating"
  | "number_active"
  | "number_failed"
  | "cancel_confirmed"
  | "cancel_refused"
  | "comment"
  | "change_refused";

/** Why a carrier rejects, refuses or fails a number. */
export interface CarrierRejection {
  /** The carrier's own code. */
  readonly raw_code: string;
  /** The carrier's own words; may be empty. */
  readonly raw_text: string;
  /** The requirement that it concerns; null to take that of the code. One that the order does not have counts as null. */
  readonly slug: string | null;
}

/** What a carrier integration, or the desk on its behalf, says about an order. Topic carriers.updates, keyed by order id. */
export interface CarrierUpdate {
  /** The provider's id of this update; the same pair of provider and update_id has one effect. */
  readonly update_id: string;
  /** Provider that says it; must be the order's own. */
  readonly provider: string;
  /** Order concerned. */
  readonly order_id: string;
  /** Version of the request that is answered; must be one that was sent. */
  readonly request_version: number;
  /** When it happened, by the carrier's clock. */
  readonly occurred_at: EpochMs;
  /** The carrier's own word, untouched; becomes provider_status of the order. */
  readonly raw_status: string;
  /** What the word means; null lets the provider's own table decide by raw_status. */
  readonly kind: CarrierUpdateKind | null;
  /** Port date, ISO 8601 with its offset; needed for date_confirmed and date_moved. */
  readonly foc_at: string | null;
  /** Needed for rejected and number_failed. */
  readonly rejection: CarrierRejection | null;
  /** Numbers concerned, in E.164; null means all numbers of the order not yet active, failed or cancelled. */
  readonly phone_numbers: readonly string[] | null;
  /** A note for the customer; needed for comment. */
  readonly comment: string | null;
  /** Operator who entered the update at the desk; null when a carrier integration published it. */
  readonly operator_id: string | null;
}

export const CARRIER_UPDATE_TEXT = `{
  "type": "record",
  "name": "CarrierUpdate",
  "namespace": "numberporting",
  "doc": "What a carrier integration, or the desk on its behalf, says about an order. Topic carriers.updates, keyed by order id.",
  "fields": [
    {
      "name": "update_id",
      "type": "string",
      "doc": "The provider's id of this update; the same pair of provider and update_id has one effect."
    },
    { "name": "provider", "type": "string", "doc": "Provider that says it; must be the order's own." },
    { "name": "order_id", "type": "string", "doc": "Order concerned." },
    {
      "name": "request_version",
      "type": "int",
      "doc": "Version of the request that is answered; must be one that was sent."
    },
    {
      "name": "occurred_at",
      "type": { "type": "long", "logicalType": "timestamp-millis" },
      "doc": "When it happened, by the carrier's clock."
    },
    {
      "name": "raw_status",
      "type": "string",
      "doc": "The carrier's own word, untouched; becomes provider_status of the order."
    },
    {
      "name": "kind",
      "type": [
        "null",
        {
          "type": "enum",
          "name": "CarrierUpdateKind",
          "doc": "What the word means.",
          "symbols": [
            "unrecognized",
            "acknowledged",
            "date_confirmed",
            "date_moved",
            "rejected",
            "refused",
            "activating",
            "number_active",
            "number_failed",
            "cancel_confirmed",
            "cancel_refused",
            "comment",
            "change_refused"
          ],
          "default": "unrecognized"
        }
      ],
      "default": null,
      "doc": "What the word means; null lets the provider's own table decide by raw_status."
    },
    {
      "name": "foc_at",
      "type": ["null", "string"],
      "default": null,
      "doc": "Port date, ISO 8601 with its offset; needed for date_confirmed and date_moved."
    },
    {
      "name": "rejection",
      "type": [
        "null",
        {
          "type": "record",
          "name": "CarrierRejection",
          "doc": "Why a carrier rejects, refuses or fails a number.",
          "fields": [
            { "name": "raw_code", "type": "string", "doc": "The carrier's own code." },
            { "name": "raw_text", "type": "string", "doc": "The carrier's own words; may be empty." },
            {
              "name": "slug",
              "type": ["null", "string"],
              "default": null,
              "doc": "The requirement that it concerns; null to take that of the code. One that the order does not have counts as null."
            }
          ]
        }
      ],
      "default": null,
      "doc": "Needed for rejected and number_failed."
    },
    {
      "name": "phone_numbers",
      "type": ["null", { "type": "array", "items": "string" }],
      "default": null,
      "doc": "Numbers concerned, in E.164; null means all numbers of the order not yet active, failed or cancelled."
    },
    {
      "name": "comment",
      "type": ["null", "string"],
      "default": null,
      "doc": "A note for the customer; needed for comment."
    },
    {
      "name": "operator_id",
      "type": ["null", "string"],
      "default": null,
      "doc": "Operator who entered the update at the desk; null when a carrier integration published it."
    }
  ]
}
`;

export const CARRIER_UPDATE_SCHEMA = JSON.parse(CARRIER_UPDATE_TEXT) as AvroRecordSchema;
