import { useQuery } from "@tanstack/react-query";
import { isWaitingStatus } from "../../../services/domain/webhook/rules/delivery.ts";
import { readOf } from "../http/read.ts";
import { startOfDay } from "../zoned-time.ts";
import type { Delivery } from "./webhook-words.ts";

/** What the customers' side and the desk's have of their own. */
export interface WebhookSide {
  /** Where the service has deliveries. */
  readonly deliveries: string;
  readonly endpointPage: (id: string) => string;
  readonly eventPage: (id: string) => string;
}

export const DELIVERY_FILTERS = [
  "status",
  "failure_code",
  "event_type",
  "webhook_endpoint_id",
  "porting_order_id",
  "created_after",
  "created_before",
] as const;

interface Days {
  readonly created_after: string;
  readonly created_before: string;
}

/** Filters as the service takes them: days begin where the person is. */
export function withInstants<Filters extends Days>(filters: Filters): Filters {
  const created_after = startOfDay(filters.created_after);
  return { ...filters, created_after, created_before: startOfDay(filters.created_before) };
}

const UNDER_WAY_MS = 1_000;

/** One delivery; asked again every second while an attempt is due. */
export function useDelivery<D extends Delivery>({ deliveries }: WebhookSide, id: string) {
  return useQuery({
    ...readOf<D>("deliveries", `${deliveries}/${id}`),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && isWaitingStatus(data.status) ? UNDER_WAY_MS : false,
  });
}

export function retryPath({ deliveries }: WebhookSide, id: string): string {
  return `${deliveries}/${id}/retry`;
}
