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
  open: {
    name: "Open",
    statuses: [
      "draft",
      "in_review",
      "submitted",
      "in_process",
      "rejection",
      "foc_scheduled",
      "activating",
      "cancel_pending",
    ],
  },
  at_carrier: {
    name: "At the carrier",
    statuses: ["submitted", "in_process", "foc_scheduled", "activating", "cancel_pending"],
  },
  ended: { name: "Ended", statuses: ["completed", "completed_partial", "cancelled"] },
};

/** The countries that orders can be for; a test holds them to those of the domain. */
export const COUNTRY_CODES = ["AU", "CA", "DE", "ES", "FR", "GB", "US"] as const;

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
