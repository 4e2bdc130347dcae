import {
  eventTypeOfSymbol,
  isSentEventType,
  SENT_EVENTS,
  sequenceKeyOf,
  symbolOfEventType,
  type SentEventType,
} from "../../../messages/events.ts";
import type { PortingEvent } from "../../../messages/generated/porting-event.ts";
import { AppError } from "../../../platform/errors.ts";
import { isUuid, timeOfId } from "../../../platform/ids.ts";
import { contextJson } from "./event-context.ts";
import { serializeEvent } from "./serialize-event.ts";

const VERSION_7 = /^.{14}7/;
const LARGEST_SEQUENCE = 2 ** 31 - 1;
/** The earliest and latest plausible times: a corrupt time must not create a partition. */
const FIRST_MS = Date.parse("2020-01-01T00:00:00Z");
const LAST_MS = Date.parse("2100-01-01T00:00:00Z");

/**
 * Checks the rules of an event's envelope and returns its public type.
 * @throws `rule_broken` with the first rule that is broken
 */
export function checkEvent(event: PortingEvent): SentEventType {
  const type = eventTypeOfSymbol(event.type);
  if (type === null || !isSentEventType(type)) throw broken("its type is never sent");
  checkIds(event);
  checkPayload(event, type);
  checkSequence(event, type);
  return type;
}

function checkIds({ id, account_id, order_id, created_at }: PortingEvent): void {
  if (!isUuid(id) || !VERSION_7.test(id)) throw broken("its id is not a version 7 UUID");
  if (timeOfId(id).getTime() !== created_at)
    throw broken("the time of its id is not its created_at");
  if (created_at < FIRST_MS || created_at >= LAST_MS)
    throw broken("its created_at is out of range");
  if (!isUuid(account_id)) throw broken("its account_id is not a UUID");
  if (order_id !== null && !isUuid(order_id)) throw broken("its order_id is not a UUID");
}

function checkPayload({ payload }: PortingEvent, type: SentEventType): void {
  const expected = symbolOfEventType(type);
  for (const [name, record] of Object.entries(payload)) {
    if ((record !== null) !== (name === expected)) {
      throw broken("its payload is not exactly the record of its type");
    }
  }
}

function checkSequence(event: PortingEvent, type: SentEventType): void {
  if (event.sequence_key !== sequenceKeyOf(type, event))
    throw broken("its sequence_key does not match its subject");
  const { order_sequence: sequence } = event;
  if (SENT_EVENTS[type].isNumbered === (sequence === null)) {
    throw broken("calls have no order_sequence, and all other events have one");
  }
  if (sequence !== null && (sequence < 1 || sequence > LARGEST_SEQUENCE)) {
    throw broken("its order_sequence is out of range");
  }
}

function broken(rule: string): AppError {
  return new AppError("rule_broken", `The event cannot be stored: ${rule}.`);
}

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

/** An event as read from the log. */
export interface StoredEvent {
  readonly id: string;
  readonly order_id: string | null;
  /** The body of its webhooks. */
  readonly body: Buffer;
}

/** An event as the API returns it. */
interface EventView {
  readonly id: string;
  readonly type: string;
  readonly order_id: string | null;
  readonly payload: unknown;
  readonly created_at: string;
}

type WebhookBody = Pick<EventView, "id" | "type" | "created_at" | "payload">;

/** The API's JSON of an event, with the stored payload. */
export function presentEvent({ order_id, body }: StoredEvent): EventView {
  const { id, type, payload, created_at } = JSON.parse(body.toString()) as WebhookBody;
  return { id, type, order_id, payload, created_at };
}
