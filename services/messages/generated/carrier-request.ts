// Made from schemas/carrier-request.avsc by `npm run messages`; do not edit.
import type { AvroRecordSchema } from "../../platform/avro/schema.ts";
import type { EpochMs } from "../epoch-ms.ts";

/** What a carrier is asked to do. */
export type CarrierRequestKind =
  | "unrecognized"
  | "submit"
  | "supplement"
  | "cancel"
  | "activate"
  | "port_out_decision"
  | "apply_forwarding";

/** One requirement of the order with its value. */
export interface CarrierRequirement {
  /** Name of the requirement. */
  readonly slug: string;
  /** Number whose value it is, in E.164, where each number has its own; null where one is for the whole order. */
  readonly phone_number: string | null;
  /** Its value in the clear; null for a document. */
  readonly value: string | null;
  /** Its document; null for a value. */
  readonly document_id: string | null;
}

/** One document of the order. */
export interface CarrierDocument {
  /** Requirement that it belongs to. */
  readonly slug: string;
  /** Id of the document. */
  readonly document_id: string;
  /** Media type, such as application/pdf. */
  readonly content_type: string;
  /** SHA-256 of its bytes, in hex. */
  readonly sha256: string;
  /** Signed link to it at the API, good for 7 days, that needs no key. */
  readonly url: string;
}

/** The answer to a port-out request. */
export interface CarrierPortOutDecision {
  /** The provider's reference of the port-out. */
  readonly port_out_ref: string;
  /** Whether it was approved. */
  readonly approved: boolean;
  /** Canonical code of a rejection. */
  readonly code: string | null;
  /** Reason in words, where one was given. */
  readonly reason: string | null;
}

/** Where calls to the numbers go; both null takes forwarding away. */
export interface CarrierForwarding {
  /** First destination, in E.164. */
  readonly primary: string | null;
  /** Destination where the first does not answer, in E.164. */
  readonly fallback: string | null;
}

/** What a supplement asks to be changed; phone_numbers and foc_requested are as they are to become. */
export interface CarrierChange {
  /** Id of the change. */
  readonly change_id: string;
  /** Port date that is asked for, ISO 8601 with the offset it was given; null where it is to stay. */
  readonly foc_requested: string | null;
  /** Numbers that are to stay with the losing carrier, in E.164. */
  readonly remove_phone_numbers: readonly string[];
}

/** What a carrier needs to act; holds PINs and account numbers. Topic carriers.requests, keyed by order id or phone number, with the header provider. */
export interface CarrierRequest {
  /** Id of the request; the same when it is sent again. */
  readonly request_id: string;
  /** Provider that is asked; the header provider says the same. */
  readonly provider: string;
  /** What the carrier is asked to do. */
  readonly kind: CarrierRequestKind;
  /** Order concerned; set for submit, supplement, cancel and activate. */
  readonly order_id: string | null;
  /** Version of the order's request; every CarrierUpdate names the one that it answers. */
  readonly request_version: number | null;
  /** Numbers concerned, in E.164. */
  readonly phone_numbers: readonly string[] | null;
  /** Requirements of the order that have a value. */
  readonly requirements: readonly CarrierRequirement[] | null;
  /** Documents of the order. */
  readonly documents: readonly CarrierDocument[] | null;
  /** Port date that the customer asks for, ISO 8601 with the offset it was given. */
  readonly foc_requested: string | null;
  /** Port date that was confirmed, ISO 8601 with the offset it was given. */
  readonly foc_actual: string | null;
  /** Set for port_out_decision. */
  readonly port_out: CarrierPortOutDecision | null;
  /** Set for apply_forwarding. */
  readonly forwarding: CarrierForwarding | null;
  /** When the request was first made; the same when it is sent again. */
  readonly requested_at: EpochMs | null;
  /** Carrier that has the order's numbers, as the directory or the customer names it; one provider may serve several. */
  readonly losing_carrier: string | null;
  /** Country of the order's numbers, ISO 3166-1 alpha-2. */
  readonly country_code: string | null;
  /** Type of the order's numbers: local, mobile, toll_free, national or shared_cost. */
  readonly number_type: string | null;
  /** Set for a supplement that asks for a change of an order that was not rejected. */
  readonly change: CarrierChange | null;
}

export const CARRIER_REQUEST_TEXT = `{
  "type": "record",
  "name": "CarrierRequest",
  "namespace": "numberporting",
  "doc": "What a carrier needs to act; holds PINs and account numbers. Topic carriers.requests, keyed by order id or phone number, with the header provider.",
  "fields": [
    { "name": "request_id", "type": "string", "doc": "Id of the request; the same when it is sent again." },
    {
      "name": "provider",
      "type": "string",
      "doc": "Provider that is asked; the header provider says the same."
    },
    {
      "name": "kind",
      "type": {
        "type": "enum",
        "name": "CarrierRequestKind",
        "doc": "What a carrier is asked to do.",
        "symbols": [
          "unrecognized",
          "submit",
          "supplement",
          "cancel",
          "activate",
          "port_out_decision",
          "apply_forwarding"
        ],
        "default": "unrecognized"
      },
      "doc": "What the carrier is asked to do."
    },
    {
      "name": "order_id",
      "type": ["null", "string"],
      "default": null,
      "doc": "Order concerned; set for submit, supplement, cancel and activate."
    },
    {
      "name": "request_version",
      "type": ["null", "int"],
      "default": null,
      "doc": "Version of the order's request; every CarrierUpdate names the one that it answers."
    },
    {
      "name": "phone_numbers",
      "type": ["null", { "type": "array", "items": "string" }],
      "default": null,
      "doc": "Numbers concerned, in E.164."
    },
    {
      "name": "requirements",
      "type": [
        "null",
        {
          "type": "array",
          "items": {
            "type": "record",
            "name": "CarrierRequirement",
            "doc": "One requirement of the order with its value.",
            "fields": [
              { "name": "slug", "type": "string", "doc": "Name of the requirement." },
              {
                "name": "phone_number",
                "type": ["null", "string"],
                "default": null,
                "doc": "Number whose value it is, in E.164, where each number has its own; null where one is for the whole order."
              },
              {
                "name": "value",
                "type": ["null", "string"],
                "default": null,
                "doc": "Its value in the clear; null for a document."
              },
              {
                "name": "document_id",
                "type": ["null", "string"],
                "default": null,
                "doc": "Its document; null for a value."
              }
            ]
          }
        }
      ],
      "default": null,
      "doc": "Requirements of the order that have a value."
    },
    {
      "name": "documents",
      "type": [
        "null",
        {
          "type": "array",
          "items": {
            "type": "record",
            "name": "CarrierDocument",
            "doc": "One document of the order.",
            "fields": [
              { "name": "slug", "type": "string", "doc": "Requirement that it belongs to." },
              { "name": "document_id", "type": "string", "doc": "Id of the document." },
              { "name": "content_type", "type": "string", "doc": "Media type, such as application/pdf." },
              { "name": "sha256", "type": "string", "doc": "SHA-256 of its bytes, in hex." },
              {
                "name": "url",
                "type": "string",
                "doc": "Signed link to it at the API, good for 7 days, that needs no key."
              }
            ]
          }
        }
      ],
      "default": null,
      "doc": "Documents of the order."
    },
    {
      "name": "foc_requested",
      "type": ["null", "string"],
      "default": null,
      "doc": "Port date that the customer asks for, ISO 8601 with the offset it was given."
    },
    {
      "name": "foc_actual",
      "type": ["null", "string"],
      "default": null,
      "doc": "Port date that was confirmed, ISO 8601 with the offset it was given."
    },
    {
      "name": "port_out",
      "type": [
        "null",
        {
          "type": "record",
          "name": "CarrierPortOutDecision",
          "doc": "The answer to a port-out request.",
          "fields": [
            { "name": "port_out_ref", "type": "string", "doc": "The provider's reference of the port-out." },
            { "name": "approved", "type": "boolean", "doc": "Whether it was approved." },
            {
              "name": "code",
              "type": ["null", "string"],
              "default": null,
              "doc": "Canonical code of a rejection."
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
      "doc": "Set for port_out_decision."
    },
    {
      "name": "forwarding",
      "type": [
        "null",
        {
          "type": "record",
          "name": "CarrierForwarding",
          "doc": "Where calls to the numbers go; both null takes forwarding away.",
          "fields": [
            {
              "name": "primary",
              "type": ["null", "string"],
              "default": null,
              "doc": "First destination, in E.164."
            },
            {
              "name": "fallback",
              "type": ["null", "string"],
              "default": null,
              "doc": "Destination where the first does not answer, in E.164."
            }
          ]
        }
      ],
      "default": null,
      "doc": "Set for apply_forwarding."
    },
    {
      "name": "requested_at",
      "type": ["null", { "type": "long", "logicalType": "timestamp-millis" }],
      "default": null,
      "doc": "When the request was first made; the same when it is sent again."
    },
    {
      "name": "losing_carrier",
      "type": ["null", "string"],
      "default": null,
      "doc": "Carrier that has the order's numbers, as the directory or the customer names it; one provider may serve several."
    },
    {
      "name": "country_code",
      "type": ["null", "string"],
      "default": null,
      "doc": "Country of the order's numbers, ISO 3166-1 alpha-2."
    },
    {
      "name": "number_type",
      "type": ["null", "string"],
      "default": null,
      "doc": "Type of the order's numbers: local, mobile, toll_free, national or shared_cost."
    },
    {
      "name": "change",
      "type": [
        "null",
        {
          "type": "record",
          "name": "CarrierChange",
          "doc": "What a supplement asks to be changed; phone_numbers and foc_requested are as they are to become.",
          "fields": [
            { "name": "change_id", "type": "string", "doc": "Id of the change." },
            {
              "name": "foc_requested",
              "type": ["null", "string"],
              "default": null,
              "doc": "Port date that is asked for, ISO 8601 with the offset it was given; null where it is to stay."
            },
            {
              "name": "remove_phone_numbers",
              "type": { "type": "array", "items": "string" },
              "doc": "Numbers that are to stay with the losing carrier, in E.164."
            }
          ]
        }
      ],
      "default": null,
      "doc": "Set for a supplement that asks for a change of an order that was not rejected."
    }
  ]
}
`;

export const CARRIER_REQUEST_SCHEMA = JSON.parse(CARRIER_REQUEST_TEXT) as AvroRecordSchema;
