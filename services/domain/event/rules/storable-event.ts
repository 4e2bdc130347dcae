import type { SentEventType } from "../../../messages/events.ts";
import type { PortingEvent } from "../../../messages/generated/porting-event.ts";
import { checkEvent } from "./check-event.ts";
import { contextJson } from "./event-context.ts";
import { serializeEvent } from "./serialize-event.ts";

/** An event as it is stored in the log; every webhook, retry, republish and read returns `body`. */
export interface StorableEvent {
  readonly id: string;
  readonly accountId: string;
  readonly type: SentEventType;
  readonly orderId: string | null;
  readonly sequenceKey: string;
  readonly orderSequence: number | null;
  readonly createdAt: Date;
  readonly body: Buffer;
  /** The envelope's fields for analytics, as JSON. */
  readonly context: string | null;
}

/** The events by id. Of several with one id the first counts, as it would if they came in separate batches. */
export function firstById(events: readonly StorableEvent[]): Map<string, StorableEvent> {
  const byId = new Map<string, StorableEvent>();
  for (const event of events) if (!byId.has(event.id)) byId.set(event.id, event);
  return byId;
}

/** Checks an event and derives its bytes. @throws `rule_broken` if its envelope is inconsistent */
export function toStorable(event: PortingEvent): StorableEvent {
  const type = checkEvent(event);
  return {
    id: event.id,
    accountId: event.account_id,
    type,
    orderId: event.order_id,
    sequenceKey: event.sequence_key,
    orderSequence: event.order_sequence,
    createdAt: new Date(event.created_at),
    body: serializeEvent(event, type),
    context: contextJson(event),
  };
}
