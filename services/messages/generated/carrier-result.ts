// Made from schemas/carrier-result.avsc by `npm run messages`; do not edit.
import type { AvroRecordSchema } from "../../platform/avro/schema.ts";
import type { EpochMs } from "../epoch-ms.ts";

/** What a carrier said, about an order or, with the prefix port_out_, about a port-out. */
export type CarrierResultKind =
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
  | "port_out_requested"
  | "port_out_cancelled"
  | "port_out_completed"
  | "change_refused";

/** A carrier's word in canonical form. Topic porting.carrier-results, keyed by order id, for port-outs by phone number. */
export interface CarrierResult {
  /** Provider that said it. */
  readonly provider: string;
  /** The provider's id of its message. */
  readonly update_id: string;
  /** What was said; null where no table knows the word, which then sets provider_status alone. CarrierUpdate kinds keep their names, PortOutUpdate kinds get the prefix port_out_. */
  readonly kind: CarrierResultKind | null;
  /** The carrier's own word, untouched. */
  readonly raw_status: string | null;
  /** Order concerned; null for port-outs. */
  readonly order_id: string | null;
  /** Version of the request that is answered; null for port-outs. */
  readonly request_version: number | null;
  /** The provider's reference of the port-out; null for orders. */
  readonly port_out_ref: string | null;
  /** Canonical exception code of a rejection, a refusal or a failed number. */
  readonly code: string | null;
  /** The carrier's words on it. */
  readonly text: string | null;
  /** The requirement that it concerns; null to take that of the code. */
  readonly slug: string | null;
  /** Port date, ISO 8601 with the offset it was given. */
  readonly foc_at: string | null;
  /** Numbers concerned, in E.164; null means all numbers of the order not yet active, failed or cancelled. */
  readonly phone_numbers: readonly string[] | null;
  /** Carrier that asks for the numbers; set for port-outs. */
  readonly gaining_carrier: string | null;
  /** Port date that it asks for, ISO 8601 with the offset it was given; set for port-outs. */
  readonly requested_foc: string | null;
  /** Whether the PIN given is the number's; null where none was given. */
  readonly pin_matches: boolean | null;
  /** A note of the carrier. */
  readonly comment: string | null;
  /** When it happened, by the carrier's clock. */
  readonly occurred_at: EpochMs;
}

export const CARRIER_RESULT_TEXT = `{
  "type": "record",
  "name": "CarrierResult",
  "namespace": "numberporting",
  "doc": "A carrier's word in canonical form. Topic porting.carrier-results, keyed by order id, for port-outs by phone number.",
  "fields": [
    { "name": "provider", "type": "string", "doc": "Provider that said it." },
    { "name": "update_id", "type": "string", "doc": "The provider's id of its message." },
    {
      "name": "kind",
      "type": [
        "null",
        {
          "type": "enum",
          "name": "CarrierResultKind",
          "doc": "What a carrier said, about an order or, with the prefix port_out_, about a port-out.",
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
            "port_out_requested",
            "port_out_cancelled",
            "port_out_completed",
            "change_refused"
          ],
          "default": "unrecognized"
        }
      ],
      "default": null,
      "doc": "What was said; null where no table knows the word, which then sets provider_status alone. CarrierUpdate kinds keep their names, PortOutUpdate kinds get the prefix port_out_."
    },
    {
      "name": "raw_status",
      "type": ["null", "string"],
      "default": null,
      "doc": "The carrier's own word, untouched."
    },
    {
      "name": "order_id",
      "type": ["null", "string"],
      "default": null,
      "doc": "Order concerned; null for port-outs."
    },
    {
      "name": "request_version",
      "type": ["null", "int"],
      "default": null,
      "doc": "Version of the request that is answered; null for port-outs."
    },
    {
      "name": "port_out_ref",
      "type": ["null", "string"],
      "default": null,
      "doc": "The provider's reference of the port-out; null for orders."
    },
    {
      "name": "code",
      "type": ["null", "string"],
      "default": null,
      "doc": "Canonical exception code of a rejection, a refusal or a failed number."
    },
    { "name": "text", "type": ["null", "string"], "default": null, "doc": "The carrier's words on it." },
    {
      "name": "slug",
      "type": ["null", "string"],
      "default": null,
      "doc": "The requirement that it concerns; null to take that of the code."
    },
    {
      "name": "foc_at",
      "type": ["null", "string"],
      "default": null,
      "doc": "Port date, ISO 8601 with the offset it was given."
    },
    {
      "name": "phone_numbers",
      "type": ["null", { "type": "array", "items": "string" }],
      "default": null,
      "doc": "Numbers concerned, in E.164; null means all numbers of the order not yet active, failed or cancelled."
    },
    {
      "name": "gaining_carrier",
      "type": ["null", "string"],
      "default": null,
      "doc": "Carrier that asks for the numbers; set for port-outs."
    },
    {
      "name": "requested_foc",
      "type": ["null", "string"],
      "default": null,
      "doc": "Port date that it asks for, ISO 8601 with the offset it was given; set for port-outs."
    },
    {
      "name": "pin_matches",
      "type": ["null", "boolean"],
      "default": null,
      "doc": "Whether the PIN given is the number's; null where none was given."
    },
    { "name": "comment", "type": ["null", "string"], "default": null, "doc": "A note of the carrier." },
    {
      "name": "occurred_at",
      "type": { "type": "long", "logicalType": "timestamp-millis" },
      "doc": "When it happened, by the carrier's clock."
    }
  ]
}
`;

export const CARRIER_RESULT_SCHEMA = JSON.parse(CARRIER_RESULT_TEXT) as AvroRecordSchema;
