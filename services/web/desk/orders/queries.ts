import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { z } from "zod";
import type {
  deskCommentAnswer,
  deskOrderAnswer,
  deskTimelineEntryAnswer,
  orderSummaryAnswer,
  traceEntryAnswer,
} from "../../../desk/orders/answers.ts";
import type { deskDeliveryAnswer } from "../../../desk/webhooks/answers.ts";
import { request, withQuery, type Page } from "../../ui/http/request.ts";
import { useList } from "../../ui/http/use-read.ts";

export type Order = z.infer<typeof deskOrderAnswer>;
export type OrderSummary = z.infer<typeof orderSummaryAnswer>;
export type OrderStatus = Order["status"];
export type TimelineEntry = z.infer<typeof deskTimelineEntryAnswer>;
export type Comment = z.infer<typeof deskCommentAnswer>;
export type Delivery = z.infer<typeof deskDeliveryAnswer>;
export type TraceEntry = z.infer<typeof traceEntryAnswer>;

const ORDERS = "/desk/v1/orders";
const PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 250;

export interface OrderQuery {
  readonly q: string;
  readonly status: readonly OrderStatus[];
  readonly provider: string;
  readonly country_code: string;
  readonly account_id: string;
  readonly batch_id: string;
  readonly losing_carrier: string;
  readonly attention: string;
  readonly foc_after: string | null;
  readonly foc_before: string | null;
  readonly starting_after: string;
}

/** A page of the orders; the page before stays until it is there. */
export function useOrders(query: OrderQuery) {
  return useList<OrderSummary>("orders", withQuery(ORDERS, { ...query, limit: PAGE_SIZE }));
}

export function useOrder(id: string) {
  return useQuery({
    queryKey: ["orders", id],
    queryFn: ({ signal }) => request<Order>("GET", `${ORDERS}/${id}`, { signal }),
  });
}

/** What an order has in a list of its own, newest first, a page at a time. */
function useOrderPart<T extends { readonly id: string }>(id: string, part: string) {
  return useInfiniteQuery({
    queryKey: ["orders", id, part],
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: MAX_PAGE_SIZE, starting_after: pageParam };
      return request<Page<T>>("GET", withQuery(`${ORDERS}/${id}/${part}`, query), { signal });
    },
    initialPageParam: "",
    getNextPageParam: ({ data, has_more: hasMore }) => (hasMore ? data.at(-1)?.id : undefined),
    select: ({ pages }) => pages.flatMap(({ data }) => data),
  });
}

export const useTimeline = (id: string) => useOrderPart<TimelineEntry>(id, "timeline");
export const useComments = (id: string) => useOrderPart<Comment>(id, "comments");
export const useDeliveries = (id: string) => useOrderPart<Delivery>(id, "deliveries");
/** A delivery with the bodies of its answers, which lists leave out; asked for while it is open. */
export function useDelivery(id: string, isOpen: boolean) {
  return useQuery({
    queryKey: ["deliveries", id],
    queryFn: ({ signal }) => request<Delivery>("GET", `/desk/v1/deliveries/${id}`, { signal }),
    enabled: isOpen,
  });
}

export const useTrace = (id: string) => useOrderPart<TraceEntry>(id, "messages");
