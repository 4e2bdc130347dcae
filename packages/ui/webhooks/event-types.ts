import type { EventType } from "../../../services/messages/events.ts";

/** Whether webhooks of a type are sent; the service's own table would bring its samples with it. */
const IS_SENT: Readonly<Record<EventType, boolean>> = {
  "porting_order.created": true,
  "porting_order.split": true,
  "porting_order.deleted": true,
  "porting_order.status_changed": true,
  "porting_order.requirement_updated": true,
  "porting_order.new_comment": true,
  "porting_order.foc_date_changed": false,
  "loa.signed": true,
  "number.activated": true,
  "number.provider_changed": true,
  "number.ported_out": true,
  "call.forwarded": true,
  "call.completed": true,
  "call.missed": true,
  "port_out.created": true,
  "port_out.status_changed": true,
};

export const SENT_EVENT_TYPES = Object.entries(IS_SENT).flatMap(([type, isSent]) =>
  isSent ? [type] : [],
);

/** To be chosen from. */
export const TYPE_OPTIONS = SENT_EVENT_TYPES.map((type) => [type, type] as const);
