// Made from schemas/webhook-attempts.avsc by `npm run messages`; do not edit.
import type { AvroRecordSchema } from "../../platform/avro/schema.ts";

/** Deliveries of one endpoint that are to be attempted. Topic porting.webhook-attempts, keyed by endpoint_key. */
export interface WebhookAttempts {
  /** Endpoint id, or a hash of account and url for an order's own webhook_url. */
  readonly endpoint_key: string;
  /** Deliveries to attempt, at most 100. */
  readonly delivery_ids: readonly string[];
}

export const WEBHOOK_ATTEMPTS_TEXT = `{
  "type": "record",
  "name": "WebhookAttempts",
  "namespace": "numberporting",
  "doc": "Deliveries of one endpoint that are to be attempted. Topic porting.webhook-attempts, keyed by endpoint_key.",
  "fields": [
    {
      "name": "endpoint_key",
      "type": "string",
      "doc": "Endpoint id, or a hash of account and url for an order's own webhook_url."
    },
    {
      "name": "delivery_ids",
      "type": { "type": "array", "items": "string" },
      "doc": "Deliveries to attempt, at most 100."
    }
  ]
}
`;

export const WEBHOOK_ATTEMPTS_SCHEMA = JSON.parse(WEBHOOK_ATTEMPTS_TEXT) as AvroRecordSchema;
