import { useQuery } from "@tanstack/react-query";
import { request, withQuery, type Page } from "../../ui/http/request.ts";
import { useCommand } from "../../ui/http/use-command.ts";
import type { Comment, ListedOrder, Order, Readiness, TimelineEntry } from "./order-types.ts";

const PATH = "/v2/porting_orders";
/** How often an open page looks for what desk and carrier did meanwhile. */
const LOOK_AGAIN_MS = 15_000;
const WHILE_CHECKING_MS = 1_000;

export function useOrders(query: Parameters<typeof withQuery>[1]) {
  const path = withQuery(PATH, { limit: 25, include: "requirements", ...query });
  return useQuery({
    queryKey: ["orders", "list", path],
    queryFn: ({ signal }) => request<Page<ListedOrder>>("GET", path, { signal }),
    placeholderData: (earlier) => earlier,
  });
}

export function useOrder(id: string) {
  return useQuery({
    queryKey: ["orders", id],
    queryFn: ({ signal }) => request<Order>("GET", `${PATH}/${id}`, { signal }),
    refetchInterval: LOOK_AGAIN_MS,
  });
}

/** What blocks a submission; asked again every second while a document is being checked. */
export function useReadiness(id: string) {
  return useQuery({
    queryKey: ["orders", id, "readiness"],
    queryFn: ({ signal }) => request<Readiness>("GET", `${PATH}/${id}/readiness`, { signal }),
    refetchInterval: ({ state: { data } }) =>
      data?.blocking.some(({ code }) => code === "checking") === true
        ? WHILE_CHECKING_MS
        : LOOK_AGAIN_MS,
  });
}

export function useTimeline(id: string) {
  return useQuery({
    queryKey: ["orders", id, "timeline"],
    queryFn: ({ signal }) =>
      request<Page<TimelineEntry>>("GET", `${PATH}/${id}/timeline?limit=100`, { signal }),
  });
}

export function useComments(id: string) {
  return useQuery({
    queryKey: ["orders", id, "comments"],
    queryFn: ({ signal }) =>
      request<Page<Comment>>("GET", `${PATH}/${id}/comments?limit=100`, { signal }),
    refetchInterval: LOOK_AGAIN_MS,
  });
}

export function orderPath(id: string, below = ""): string {
  return `${PATH}/${id}${below}`;
}

/** A command on an order; what is shown of orders is fetched again after it. */
export function useOrderCommand() {
  return useCommand({ refreshes: ["orders"] });
}
