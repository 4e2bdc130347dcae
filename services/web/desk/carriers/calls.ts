import type { Carrier, OrderToCall, Provider } from "./queries.ts";

/** An order that waits for a call, with whom to call. */
export interface Call {
  readonly order: OrderToCall;
  readonly contact: Provider["contact"];
  /** Whether they are at their desks now; null if it is not known. */
  readonly isOpen: boolean | null;
}

/** The calls to make, the longest waiting first; a carrier's own contact comes before its provider's. */
export function callsOf(
  providers: readonly Provider[],
  carriers: readonly Carrier[],
): readonly Call[] {
  const byName = new Map(carriers.map((carrier) => [carrier.name, carrier]));
  return providers
    .flatMap(({ orders_to_call: orders, contact, open_now: isOpen }) =>
      orders.map((order) => {
        const carrier = byName.get(order.losing_carrier ?? "");
        const open = carrier?.contact == null ? isOpen : (carrier.open_now ?? isOpen);
        return { order, contact: carrier?.contact ?? contact, isOpen: open };
      }),
    )
    .toSorted((a, b) => a.order.waiting_since.localeCompare(b.order.waiting_since));
}

const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/** `Mon–Fri 08:00–17:00, America/New_York`; days that do not follow each other are listed. */
export function hoursText({ days, from, to, time_zone: zone }: Provider["business_hours"]): string {
  const sorted = days.toSorted((a, b) => a - b);
  const [first = 1, last = 7] = [sorted[0], sorted.at(-1)];
  const nameOf = (day: number): string => DAYS[day - 1] ?? "";
  const isRow = last - first === sorted.length - 1 && sorted.length > 1;
  const named = isRow ? `${nameOf(first)}–${nameOf(last)}` : sorted.map(nameOf).join(", ");
  return `${named} ${from}–${to}, ${zone}`;
}
