import { exampleEvent } from "../../domain/event/rules/sample-event.ts";
import { SENT_EVENT_TYPES, type SentEventType } from "../../messages/events.ts";
import { NEXT_EVENTS } from "./event-order.ts";
import { PUBLISHED_WHEN } from "./published-when.ts";
import { webhookJsonSchema } from "./webhook-json-schema.ts";

/** What those who build on the events need to know of a type. */
export interface CatalogueEntry {
  readonly type: SentEventType;
  readonly publishedWhen: string;
  /** The types that may come right before it on the same order, number, port-out or call. */
  readonly follows: readonly SentEventType[];
  /** The types that may come right after it there. */
  readonly precedes: readonly SentEventType[];
  /** JSON Schema (2020-12) of its webhook body, and so of the event in the feed, with its own `$defs`. */
  readonly schema: object;
  /** A webhook body as the sender makes it. */
  readonly sample: object;
}

/** Every event type that is sent, in the contract's order; the reserved one has neither schema nor sample. */
export const EVENT_CATALOGUE: readonly CatalogueEntry[] = SENT_EVENT_TYPES.map((type) => ({
  type,
  publishedWhen: PUBLISHED_WHEN[type],
  follows: SENT_EVENT_TYPES.filter((other) => NEXT_EVENTS[other].includes(type)),
  precedes: NEXT_EVENTS[type],
  schema: webhookJsonSchema(type),
  sample: exampleEvent(type),
}));
