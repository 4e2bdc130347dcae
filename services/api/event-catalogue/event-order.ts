import type { SentEventType } from "../../messages/events.ts";

/**
 * Which types may come next, right after a type, on the same order, number, port-out or call. Events of different
 * subjects come in any order.
 */
export const NEXT_EVENTS: Readonly<Record<SentEventType, readonly SentEventType[]>> = {
  "porting_order.created": [
    "porting_order.split",
    "porting_order.deleted",
    "porting_order.status_changed",
    "porting_order.new_comment",
    "loa.signed",
  ],
  "porting_order.split": [
    "porting_order.deleted",
    "porting_order.status_changed",
    "porting_order.new_comment",
    "loa.signed",
  ],
  "porting_order.deleted": [],
  "porting_order.status_changed": [
    "porting_order.status_changed",
    "porting_order.requirement_updated",
    "porting_order.new_comment",
    "loa.signed",
    "number.activated",
  ],
  "porting_order.requirement_updated": [
    "porting_order.status_changed",
    "porting_order.requirement_updated",
    "porting_order.new_comment",
    "loa.signed",
  ],
  "porting_order.new_comment": [
    "porting_order.deleted",
    "porting_order.status_changed",
    "porting_order.requirement_updated",
    "porting_order.new_comment",
    "loa.signed",
  ],
  "loa.signed": [
    "porting_order.deleted",
    "porting_order.status_changed",
    "porting_order.new_comment",
    "loa.signed",
  ],
  "number.activated": [
    "porting_order.new_comment",
    "number.activated",
    "number.provider_changed",
    "call.forwarded",
    "number.ported_out",
    "port_out.created",
  ],
  "number.provider_changed": [
    "number.provider_changed",
    "call.forwarded",
    "number.ported_out",
    "port_out.created",
  ],
  "call.forwarded": ["call.forwarded", "call.completed", "call.missed"],
  "call.completed": [],
  "call.missed": [],
  "number.ported_out": [],
  "port_out.created": ["number.ported_out", "port_out.status_changed"],
  "port_out.status_changed": ["number.ported_out", "port_out.status_changed"],
};
