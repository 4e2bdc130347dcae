// Made from schemas/port-out-update.avsc by `npm run messages`; do not edit.
import type { AvroRecordSchema } from "../../platform/avro/schema.ts";
import type { EpochMs } from "../epoch-ms.ts";

/** What happened to the request. */
export type PortOutUpdateKind =
  | "unrecognized"
  | "requested"
  | "cancelled"
  | "completed";

/** What a provider says about a request for numbers of the platform. Topic carriers.port-outs, keyed by phone number. */
export interface PortOutUpdate {
  /** The provider's id of this update; the same pair of provider and update_id has one effect. */
  readonly update_id: string;
  /** Provider that asks; the decision goes back to it. */
  readonly provider: string;
  /** The provider's reference; with provider it names the port-out. */
  readonly port_out_ref: string;
  /** What happened to the request. */
  readonly kind: PortOutUpdateKind;
  /** Numbers concerned, in E.164. */
  readonly phone_numbers: readonly string[];
  /** Carrier that asks for the numbers. */
  readonly gaining_carrier: string;
  /** Port date that it asks for, ISO 8601 with its offset. */
  readonly requested_foc: string;
  /** PIN that was given with the request. */
  readonly attempted_pin: string | null;
  /** The gaining carrier's order number (PON). */
  readonly pon: string | null;
  /** The gaining carrier's service provider id (SPID). */
  readonly spid: string | null;
  /** Account number that its customer gave. */
  readonly account_number: string | null;
  /** Postal code that its customer gave. */
  readonly postal_code: string | null;
  /** Account holder that its customer gave. */
  readonly subscriber_name: string | null;
  /** Service address that its customer gave. */
  readonly service_address: string | null;
  /** Who is said to have authorized the port-out. */
  readonly authorized_name: string | null;
  /** Confirmed port date, ISO 8601 with its offset. */
  readonly foc_at: string | null;
  /** When it happened, by the provider's clock. */
  readonly occurred_at: EpochMs;
}

export const PORT_OUT_UPDATE_TEXT = `{
  "type": "record",
  "name": "PortOutUpdate",
  "namespace": "numberporting",
  "doc": "What a provider says about a request for numbers of the platform. Topic carriers.port-outs, keyed by phone number.",
  "fields": [
    {
      "name": "update_id",
      "type": "string",
      "doc": "The provider's id of this update; the same pair of provider and update_id has one effect."
    },
    { "name": "provider", "type": "string", "doc": "Provider that asks; the decision goes back to it." },
    {
      "name": "port_out_ref",
      "type": "string",
      "doc": "The provider's reference; with provider it names the port-out."
    },
    {
      "name": "kind",
      "type": {
        "type": "enum",
        "name": "PortOutUpdateKind",
        "doc": "What happened to the request.",
        "symbols": ["unrecognized", "requested", "cancelled", "completed"],
        "default": "unrecognized"
      },
      "doc": "What happened to the request."
    },
    {
      "name": "phone_numbers",
      "type": { "type": "array", "items": "string" },
      "doc": "Numbers concerned, in E.164."
    },
    { "name": "gaining_carrier", "type": "string", "doc": "Carrier that asks for the numbers." },
    {
      "name": "requested_foc",
      "type": "string",
      "doc": "Port date that it asks for, ISO 8601 with its offset."
    },
    {
      "name": "attempted_pin",
      "type": ["null", "string"],
      "default": null,
      "doc": "PIN that was given with the request."
    },
    {
      "name": "pon",
      "type": ["null", "string"],
      "default": null,
      "doc": "The gaining carrier's order number (PON)."
    },
    {
      "name": "spid",
      "type": ["null", "string"],
      "default": null,
      "doc": "The gaining carrier's service provider id (SPID)."
    },
    {
      "name": "account_number",
      "type": ["null", "string"],
      "default": null,
      "doc": "Account number that its customer gave."
    },
    {
      "name": "postal_code",
      "type": ["null", "string"],
      "default": null,
      "doc": "Postal code that its customer gave."
    },
    {
      "name": "subscriber_name",
      "type": ["null", "string"],
      "default": null,
      "doc": "Account holder that its customer gave."
    },
    {
      "name": "service_address",
      "type": ["null", "string"],
      "default": null,
      "doc": "Service address that its customer gave."
    },
    {
      "name": "authorized_name",
      "type": ["null", "string"],
      "default": null,
      "doc": "Who is said to have authorized the port-out."
    },
    {
      "name": "foc_at",
      "type": ["null", "string"],
      "default": null,
      "doc": "Confirmed port date, ISO 8601 with its offset."
    },
    {
      "name": "occurred_at",
      "type": { "type": "long", "logicalType": "timestamp-millis" },
      "doc": "When it happened, by the provider's clock."
    }
  ]
}
`;

export const PORT_OUT_UPDATE_SCHEMA = JSON.parse(PORT_OUT_UPDATE_TEXT) as AvroRecordSchema;
