import { useQuery } from "@tanstack/react-query";
import type { z } from "zod";
import type { carrierAnswer, providerAnswer } from "../../../services/desk/providers/answers.ts";
import { readOf } from "../../ui/http/read.ts";
import type { Page } from "../../ui/http/request.ts";

export type Provider = z.infer<typeof providerAnswer>;
export type Carrier = z.infer<typeof carrierAnswer>;
export type OrderToCall = Provider["orders_to_call"][number];

const STALE_MS = 30_000;
/** While the calls to make are shown; the service itself keeps what it counted for two seconds. */
const LOOK_AGAIN_MS = 15_000;

const PROVIDERS = {
  ...readOf<Page<Provider>>("carriers", "/desk/v1/providers"),
  staleTime: STALE_MS,
};

export function useProviders() {
  return useQuery(PROVIDERS);
}

/** The providers with the orders that wait for a call, fetched again while they are shown. */
export function useCallsToMake() {
  return useQuery({ ...PROVIDERS, refetchInterval: LOOK_AGAIN_MS });
}

export function useCarriers() {
  return useQuery({
    ...readOf<Page<Carrier>>("carriers", "/desk/v1/carriers"),
    staleTime: STALE_MS,
  });
}

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
