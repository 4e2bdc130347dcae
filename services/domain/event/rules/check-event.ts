import type { SentEventType } from "../../../messages/events.ts";
import {
  eventTypeOfSymbol,
  RESERVED_EVENT_TYPE,
  symbolOfEventType,
} from "../../../messages/events.ts";
import type { PortingEvent } from "../../../messages/generated/porting-event.ts";
import { AppError } from "../../../platform/errors.ts";
import { isUuid, timeOfId } from "../../../platform/ids.ts";

const VERSION_7 = /^.{14}7/;
const LARGEST_SEQUENCE = 2 ** 31 - 1;
/** The service did not exist before; a garbled time must not ask for a partition of its own. */
const FIRST_MS = Date.parse("2020-01-01T00:00:00Z");
const LAST_MS = Date.parse("2100-01-01T00:00:00Z");

/** What an event is ordered within (spec/messages.md, Event envelope); null where its payload does not say. */
export function sequenceKeyOf(
  type: SentEventType,
  { order_id, payload }: Pick<PortingEvent, "order_id" | "payload">,
): string | null {
  switch (type) {
    case "number.provider_changed":
      return payload.number_provider_changed?.phone_number ?? null;
    case "number.ported_out":
      return payload.number_ported_out?.phone_number ?? null;
    case "call.forwarded":
      return payload.call_forwarded?.phone_number ?? null;
    case "call.completed":
      return payload.call_completed?.phone_number ?? null;
    case "call.missed":
      return payload.call_missed?.phone_number ?? null;
    case "port_out.created":
      return payload.port_out_created?.port_out.id ?? null;
    case "port_out.status_changed":
      return payload.port_out_status_changed?.port_out.id ?? null;
    case "porting_order.created":
    case "porting_order.split":
    case "porting_order.deleted":
    case "porting_order.status_changed":
    case "porting_order.requirement_updated":
    case "porting_order.new_comment":
    case "loa.signed":
    case "number.activated":
      return order_id;
  }
}

/**
 * The public type of an event that keeps the rules of its envelope.
 * @throws `rule_broken` naming the first rule that it breaks
 */
export function checkEvent(event: PortingEvent): SentEventType {
  const type = eventTypeOfSymbol(event.type);
  if (type === null || type === RESERVED_EVENT_TYPE) throw broken("its type is never sent");
  checkIds(event);
  checkPayload(event, type);
  checkSequence(event, type);
  return type;
}

function checkIds({ id, account_id, order_id, created_at }: PortingEvent): void {
  if (!isUuid(id) || !VERSION_7.test(id)) throw broken("its id is not a version 7 UUID");
  if (timeOfId(id).getTime() !== created_at)
    throw broken("its id has another time than created_at");
  if (created_at < FIRST_MS || created_at >= LAST_MS)
    throw broken("its created_at cannot be right");
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
    throw broken("its sequence_key is another's");
  const { order_sequence: sequence } = event;
  if (type.startsWith("call.") !== (sequence === null)) {
    throw broken("calls have no order_sequence, and all others have one");
  }
  if (sequence !== null && (sequence < 1 || sequence > LARGEST_SEQUENCE)) {
    throw broken("its order_sequence is out of range");
  }
}

function broken(rule: string): AppError {
  return new AppError("rule_broken", `The event cannot be stored: ${rule}.`);
}
