import { factsOf, hasDateConfirmed } from "../../domain/order/rules/status-facts.ts";
import { ORDER_STATUSES, type OrderStatus } from "../../domain/order/rules/order.ts";
import type { CustomerNotice } from "../../domain/notice/rules/notice-kinds.ts";
import type {
  PortingEvent,
  PortingOrderStatusChanged,
  PortOutStatusChanged,
} from "../../messages/generated/porting-event.ts";

/** What a mail may say of its subject: no PIN, no whole phone number, no document. */
export interface NoticeFacts {
  readonly order_id?: string;
  readonly port_out_id?: string;
  readonly endpoint_id?: string;
  /** How many numbers, and the last two digits of the first. */
  readonly numbers?: number;
  readonly last_digits?: string;
  readonly reference?: string;
  /** The confirmed port date, or until when a decision is awaited; ISO 8601. */
  readonly date?: string;
  /** The date that was asked for, which is later than the confirmed one. */
  readonly requested_date?: string;
  /** Whether some numbers could not be moved. */
  readonly partly?: boolean;
  /** The host of the endpoint. */
  readonly host?: string;
  readonly reason?: string;
}

/** A notice to whoever gets those of its account. */
export interface Notice {
  /** The same whenever the event is handled again. */
  readonly key: string;
  readonly account_id: string;
  readonly kind: CustomerNotice;
  readonly facts: NoticeFacts;
}

/** Null for what no mail is sent about. */
export function noticeOfEvent({ id, account_id, payload }: PortingEvent): Notice | null {
  const { porting_order_status_changed: order, port_out_status_changed: portOut } = payload;
  const found = order === null ? ofPortOut(portOut) : ofOrder(order);
  return found === null ? null : { key: id, account_id, ...found };
}

type Found = Pick<Notice, "kind" | "facts"> | null;

function ofOrder({ porting_order: order, new_status }: PortingOrderStatusChanged): Found {
  const status = ORDER_STATUSES.find((one) => one === new_status);
  const kind = status === undefined ? null : kindOfStatus(status);
  if (kind === null) return null;
  return {
    kind,
    facts: {
      order_id: order.id,
      ...numbersOf(order.phone_numbers),
      ...referenceOf(order.customer_reference),
      ...(kind === "date_confirmed" ? datesOf(order) : {}),
      ...(status === "completed_partial" ? { partly: true } : {}),
    },
  };
}

function datesOf({
  foc_actual: date,
  foc_requested: requested_date,
}: PortingOrderStatusChanged["porting_order"]): Pick<NoticeFacts, "date" | "requested_date"> {
  if (date === null) return {};
  const isEarly = requested_date !== null && Date.parse(date) < Date.parse(requested_date);
  return isEarly ? { date, requested_date } : { date };
}

function kindOfStatus(status: OrderStatus): CustomerNotice | null {
  const { action, end } = factsOf(status);
  if (action === "fix_or_submit_again") return "fix_needed";
  if (hasDateConfirmed(status)) return "date_confirmed";
  return end === "live" ? "numbers_live" : null;
}

function ofPortOut(change: PortOutStatusChanged | null): Found {
  if (change?.new_status !== "decision_required") return null;
  const { id, phone_numbers, decision_deadline: deadline } = change.port_out;
  const date = deadline === null ? {} : { date: new Date(deadline).toISOString() };
  const facts = { port_out_id: id, ...numbersOf(phone_numbers), ...date };
  return { kind: "port_out_decision", facts };
}

function numbersOf(numbers: readonly string[]): Pick<NoticeFacts, "numbers" | "last_digits"> {
  return { numbers: numbers.length, last_digits: numbers[0]?.slice(-2) ?? "" };
}

const MOST_DIGITS = 6;
const LONGEST_REFERENCE = 100;

/** The customer's own text: left out where it may be a phone number, and where it is empty. */
function referenceOf(reference: string): Pick<NoticeFacts, "reference"> {
  const digits = reference.replaceAll(/\D/g, "").length;
  const text = reference.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, " ").trim();
  return text === "" || digits > MOST_DIGITS ? {} : { reference: text.slice(0, LONGEST_REFERENCE) };
}
