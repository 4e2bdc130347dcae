/**
 * Every attribute that a span may have. Spans leave the installation, so none of them is a path, a query, a message key,
 * a URL or a text: these hold phone numbers, names and secrets.
 */
export const SPAN_ATTRIBUTES = [
  "error.type",
  "http.request.method",
  "http.response.status_code",
  "http.route",
  "messaging.batch.message_count",
  "messaging.consumer.group.name",
  "messaging.destination.name",
  "messaging.destination.partition.id",
  "messaging.kafka.offset",
  "messaging.message.id",
  "messaging.operation.name",
  "messaging.operation.type",
  "messaging.system",
  "webhook.attempt",
  "webhook.delivery_id",
  "webhook.endpoint_key",
  "webhook.event_type",
] as const;

export type SpanAttributes = Readonly<
  Partial<Record<(typeof SPAN_ATTRIBUTES)[number], string | number>>
>;
