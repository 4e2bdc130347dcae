// Made from schemas/webhook-retry.avsc by `npm run messages`; do not edit.
import type { AvroRecordSchema } from "../../platform/avro/schema.ts";
import type { EpochMs } from "../epoch-ms.ts";

/** An alarm: a delivery is to be attempted again. Topics porting.webhook-retry.*, one per backoff step, keyed by endpoint key. */
export interface WebhookRetry {
  /** Delivery to attempt. */
  readonly delivery_id: string;
  /** Number of the attempt that is due; the alarm is void once the delivery is past it. */
  readonly attempt: number;
  /** When it is due. */
  readonly due_at: EpochMs;
}

export const WEBHOOK_RETRY_TEXT = `{
  "type": "record",
  "name": "WebhookRetry",
  "namespace": "numberporting",
  "doc": "An alarm: a delivery is to be attempted again. Topics porting.webhook-retry.*, one per backoff step, keyed by endpoint key.",
  "fields": [
    { "name": "delivery_id", "type": "string", "doc": "Delivery to attempt." },
    {
      "name": "attempt",
      "type": "int",
      "doc": "Number of the attempt that is due; the alarm is void once the delivery is past it."
    },
    {
      "name": "due_at",
      "type": { "type": "long", "logicalType": "timestamp-millis" },
      "doc": "When it is due."
    }
  ]
}
`;

export const WEBHOOK_RETRY_SCHEMA = JSON.parse(WEBHOOK_RETRY_TEXT) as AvroRecordSchema;
