import type {
  ListedPortingOrder,
  NextAction,
  PortingOrder,
  Requirement,
} from "../../client/generated/api-types.ts";
import { paintStatus, shortTime, type Column } from "../output/render.ts";
import type { Printer } from "../output/printer.ts";

/** For a list of orders. */
export const ORDER_COLUMNS: readonly Column<PortingOrder | ListedPortingOrder>[] = [
  { name: "id", of: ({ id }) => id },
  { name: "status", of: ({ status }) => status, paint: paintStatus },
  { name: "country", of: ({ country_code }) => country_code },
  { name: "type", of: ({ number_type }) => number_type },
  { name: "numbers", of: ({ phone_numbers }) => briefly(phone_numbers) },
  { name: "reference", of: ({ customer_reference }) => customer_reference },
  { name: "next", of: ({ next_action }) => nextText(next_action) ?? "" },
];

const REQUIREMENTS: readonly Column<Requirement>[] = [
  { name: "field", of: ({ slug }) => slug },
  { name: "asked", of: ({ mandatory }) => (mandatory ? "mandatory" : "optional") },
  {
    name: "status",
    of: statusText,
    paint: paintStatus,
  },
  { name: "value", of: ({ field_value }) => (field_value ?? "").slice(0, 60) },
  { name: "reason", of: ({ exception_reason }) => exception_reason ?? "" },
];

/** An order with what it asks for and what is wrong with it. */
export async function showOrder(out: Printer, order: PortingOrder): Promise<void> {
  const { next_action: next, closed_reason: closed } = order;
  const due = next.due_at === null ? "" : `, due ${shortTime(next.due_at)}`;
  out.item(order, {
    id: order.id,
    status: paintStatus(order.status, out.style.paint),
    numbers: briefly(order.phone_numbers),
    kind: `${order.country_code} ${order.number_type}`,
    "losing carrier": order.losing_carrier,
    reference: order.customer_reference === "" ? null : order.customer_reference,
    next: nextText(next, due),
    "carrier's status": order.provider_status === "" ? null : order.provider_status,
    "FOC requested": order.foc_requested,
    "FOC date": order.foc_actual,
    "closed because": closed === null ? null : `${closed.detail} (${closed.raised_by})`,
    created: shortTime(order.created_at),
  });
  if (out.isJson) return;
  for (const { code, detail, slug } of order.exceptions) {
    out.line(
      out.style.paint.red(`Exception: ${detail} (${[code, slug].filter(Boolean).join(", ")})`),
    );
  }
  out.line("");
  await out.list(order.requirements, REQUIREMENTS);
}

/** Null where nobody has to do anything any more. */
export function nextText({ actor, action }: NextAction, due = ""): string | null {
  return actor === "none" ? null : `${actor}: ${action}${due}`;
}

/** One that is pending waits for a value, or has one that is looked at after the order is submitted. */
function statusText({ status, field_value }: Requirement): string {
  if (status !== "requirement-info-pending") return status.replace("requirement-info-", "");
  return field_value === null ? "empty" : "filled";
}

/** The first of the numbers, and how many more there are. */
function briefly(numbers: readonly string[]): string {
  const shown = numbers.slice(0, 3).join(", ");
  return numbers.length > 3 ? `${shown} and ${numbers.length - 3} more` : shown;
}
