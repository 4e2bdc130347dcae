import { z } from "zod";

/** What a customer's addresses get a mail about (docs/contract/customer-api.md, Notices by mail). */
export const CUSTOMER_NOTICES = [
  "fix_needed",
  "date_confirmed",
  "numbers_live",
  "port_out_decision",
  "endpoint_paused",
] as const;

export type CustomerNotice = (typeof CUSTOMER_NOTICES)[number];

/** What the desk's addresses get a mail about. */
export const DESK_NOTICES = ["review_overdue", "carrier_silent"] as const;

export type DeskNotice = (typeof DESK_NOTICES)[number];

export type NoticeKind = CustomerNotice | DeskNotice;

export const MAX_NOTICE_EMAILS = 5;

/** A bare address, of ASCII letters, without anything that could begin another header or recipient. */
export function mailAddress() {
  return z.email("It must be a mail address such as porting@example.com.").max(254);
}
