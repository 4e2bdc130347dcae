import type { MessageContext, OutgoingMessage } from "../../../messages/bus/outgoing.ts";
import { newId } from "../../../platform/ids.ts";
import { eventMessage, newEvent } from "../../event/rules/new-event.ts";

export const NUMBER_STATUSES = ["active", "porting_out", "ported_out", "released"] as const;

/** Why a number left without a port-out: it went back, its line ended, or its holder took it. */
export const RELEASE_REASONS = ["snapback", "disconnected", "returned_to_holder"] as const;

export interface NumberRelease {
  readonly reason: (typeof RELEASE_REASONS)[number];
  /** When it left, as an instant in ISO 8601. */
  readonly at: string;
}

/** A number on the platform, as it is stored and returned (docs/contract/customer-api.md, Numbers and port-outs). */
export interface PlatformNumber {
  readonly phone_number: string;
  readonly status: (typeof NUMBER_STATUSES)[number];
  readonly country_code: string;
  readonly number_type: string;
  readonly provider: string;
  /** How it came: by an order here, or from elsewhere. */
  readonly source: "ported" | "imported";
  readonly porting_order_id: string | null;
  readonly activated_at: Date;
  /** Null unless it is released. */
  readonly release: NumberRelease | null;
  readonly forwarding: Forwarding | null;
  readonly port_out_lock: boolean;
  readonly port_out_pin_set: boolean;
  readonly tags: readonly string[];
  /** The customer's own references, which mean nothing here. */
  readonly connection_ref: string | null;
  readonly messaging_ref: string | null;
  readonly emergency_address_ref: string | null;
}

/** Where a number's calls are forwarded, and who forwards them. */
export interface Forwarding {
  readonly primary: string;
  readonly fallback: string | null;
  readonly handled_by: "platform" | "carrier";
}

/** A number that has left its account, with the sequence number of the event that reports it. */
export interface LeftNumber {
  readonly account_id: string;
  readonly phone_number: string;
  readonly porting_order_id: string | null;
  readonly event_sequence: number;
  /** The provider that hosted it here. */
  readonly provider: string;
  readonly country_code: string;
  readonly number_type: string;
}

/** How a number left an account; both fields are null where no carrier took it by a port-out. */
interface Departure {
  readonly number: LeftNumber;
  readonly port_out_id: string | null;
  readonly gaining_carrier: string | null;
  readonly at: Date;
  /** When it is said to have left; null where it became active at another account. */
  readonly occurred_at: Date | null;
  /** Who reported it; the gaining carrier unless given. */
  readonly actor?: "desk";
}

/** The event that a number has left its account, ordered within the number's own sequence. */
export function portedOutMessage(
  context: MessageContext,
  { number, port_out_id, gaining_carrier, at, occurred_at, actor }: Departure,
  now: Date,
): OutgoingMessage {
  const { account_id, phone_number, porting_order_id, event_sequence, ...host } = number;
  const { provider, country_code, number_type } = host;
  const payload = { phone_number, port_out_id, gaining_carrier, ported_out_at: at.getTime() };
  const event = newEvent("number.ported_out", payload, {
    id: newId(now),
    account_id,
    order_id: porting_order_id,
    sequence_key: phone_number,
    order_sequence: event_sequence,
    created_at: now,
    context: { provider, country_code, number_type, occurred_at, actor: actor ?? "carrier" },
  });
  return eventMessage(context, event);
}
