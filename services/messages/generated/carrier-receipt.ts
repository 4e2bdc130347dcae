// Made from schemas/carrier-receipt.avsc by `npm run messages`; do not edit.
import type { AvroRecordSchema } from "../../platform/avro/schema.ts";
import type { EpochMs } from "../epoch-ms.ts";

/** What became of a message. */
export type CarrierReceiptOutcome =
  | "unrecognized"
  | "applied"
  | "ignored"
  | "refused";

/** What became of one message that an integration published. Topic carriers.receipts, keyed as that message, with the header provider where the message names one. */
export interface CarrierReceipt {
  /** Provider that the message names; empty where it could not be read. */
  readonly provider: string;
  /** The update_id of the message, at most its first 255 characters. */
  readonly update_id: string | null;
  /** The order_id of a CarrierUpdate, at most its first 255 characters. */
  readonly order_id: string | null;
  /** The port_out_ref of a PortOutUpdate, at most its first 255 characters. */
  readonly port_out_ref: string | null;
  /** The call_id of a CallUpdate, at most its first 255 characters. */
  readonly call_id: string | null;
  /** Whether it took effect (applied), was taken and moved nothing (ignored), or was dead-lettered (refused). */
  readonly outcome: CarrierReceiptOutcome;
  /** Why it was ignored or refused (docs/carriers.md, Receipts); null if it was applied. */
  readonly code: string | null;
  /** The same as a sentence, with the field where one is wrong; null if it was applied. */
  readonly detail: string | null;
  /** Topic of the message, with the deployment's prefix. */
  readonly source_topic: string;
  /** Partition of the message. */
  readonly source_partition: number;
  /** Offset of the message in its partition. */
  readonly source_offset: number;
  /** The header message-id of the message; null if it had none, or not a UUID. */
  readonly source_message_id: string | null;
  /** When the outcome was recorded. */
  readonly at: EpochMs;
}

export const CARRIER_RECEIPT_TEXT = `{
  "type": "record",
  "name": "CarrierReceipt",
  "namespace": "numberporting",
  "doc": "What became of one message that an integration published. Topic carriers.receipts, keyed as that message, with the header provider where the message names one.",
  "fields": [
    {
      "name": "provider",
      "type": "string",
      "doc": "Provider that the message names; empty where it could not be read."
    },
    {
      "name": "update_id",
      "type": ["null", "string"],
      "default": null,
      "doc": "The update_id of the message, at most its first 255 characters."
    },
    {
      "name": "order_id",
      "type": ["null", "string"],
      "default": null,
      "doc": "The order_id of a CarrierUpdate, at most its first 255 characters."
    },
    {
      "name": "port_out_ref",
      "type": ["null", "string"],
      "default": null,
      "doc": "The port_out_ref of a PortOutUpdate, at most its first 255 characters."
    },
    {
      "name": "call_id",
      "type": ["null", "string"],
      "default": null,
      "doc": "The call_id of a CallUpdate, at most its first 255 characters."
    },
    {
      "name": "outcome",
      "type": {
        "type": "enum",
        "name": "CarrierReceiptOutcome",
        "doc": "What became of a message.",
        "symbols": ["unrecognized", "applied", "ignored", "refused"],
        "default": "unrecognized"
      },
      "doc": "Whether it took effect (applied), was taken and moved nothing (ignored), or was dead-lettered (refused)."
    },
    {
      "name": "code",
      "type": ["null", "string"],
      "default": null,
      "doc": "Why it was ignored or refused (docs/carriers.md, Receipts); null if it was applied."
    },
    {
      "name": "detail",
      "type": ["null", "string"],
      "default": null,
      "doc": "The same as a sentence, with the field where one is wrong; null if it was applied."
    },
    {
      "name": "source_topic",
      "type": "string",
      "doc": "Topic of the message, with the deployment's prefix."
    },
    { "name": "source_partition", "type": "int", "doc": "Partition of the message." },
    { "name": "source_offset", "type": "long", "doc": "Offset of the message in its partition." },
    {
      "name": "source_message_id",
      "type": ["null", "string"],
      "default": null,
      "doc": "The header message-id of the message; null if it had none, or not a UUID."
    },
    {
      "name": "at",
      "type": { "type": "long", "logicalType": "timestamp-millis" },
      "doc": "When the outcome was recorded."
    }
  ]
}
`;

export const CARRIER_RECEIPT_SCHEMA = JSON.parse(CARRIER_RECEIPT_TEXT) as AvroRecordSchema;
