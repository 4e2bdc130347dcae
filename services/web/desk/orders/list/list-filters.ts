import { ORDER_STATUSES } from "../../../../domain/order/rules/order.ts";
import { factsOf, isEnded } from "../../../../domain/order/rules/status-facts.ts";
import { instantOf } from "../../../ui/zoned/zoned-time.ts";
import type { OrderQuery, OrderStatus } from "../queries.ts";

export const FILTER_NAMES = [
  "q",
  "status",
  "provider",
  "country",
  "attention",
  "account",
  "batch",
  "carrier",
  "foc_from",
  "foc_to",
] as const;

export type ListFilters = Readonly<Record<(typeof FILTER_NAMES)[number], string>>;

/** Several statuses that one asks for at once. */
export const STATUS_GROUPS: Readonly<
  Record<string, { readonly name: string; readonly statuses: readonly OrderStatus[] }>
> = {
  open: { name: "Open", statuses: ORDER_STATUSES.filter((status) => !isEnded({ status })) },
  at_carrier: {
    name: "At the carrier",
    statuses: ORDER_STATUSES.filter((status) => factsOf(status).actor === "carrier"),
  },
  ended: { name: "Ended", statuses: ORDER_STATUSES.filter((status) => isEnded({ status })) },
};

/** What the service is asked, for what stands in the URL; days are those of the browser's zone. */
export function orderQueryOf(filters: ListFilters, after: string, zone: string): OrderQuery {
  return {
    q: filters.q,
    status: statusesOf(filters.status),
    provider: filters.provider,
    country_code: filters.country,
    account_id: filters.account,
    batch_id: filters.batch,
    losing_carrier: filters.carrier,
    attention: filters.attention,
    foc_after: startOf(filters.foc_from, zone),
    foc_before: startOf(dayAfter(filters.foc_to), zone),
    starting_after: after,
  };
}

function statusesOf(given: string): readonly OrderStatus[] {
  if (given === "") return [];
  return STATUS_GROUPS[given]?.statuses ?? [given as OrderStatus];
}

function startOf(date: string, zone: string): string | null {
  return instantOf({ date, time: "00:00", zone });
}

function dayAfter(date: string): string {
  const day = new Date(`${date}T00:00:00Z`);
  if (Number.isNaN(day.getTime())) return "";
  day.setUTCDate(day.getUTCDate() + 1);
  return day.toISOString().slice(0, 10);
}
