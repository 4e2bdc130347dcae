/** The steps of an order's trace, in the order in which one change takes them. */
export const TRACE_STEPS = [
  "request",
  "change",
  "outbox",
  "topic",
  "handler",
  "dead_letter",
  "event",
  "delivery",
  "attempt",
] as const;
