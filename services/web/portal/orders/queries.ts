import { useQuery } from "@tanstack/react-query";
import { withQuery, type Page } from "../../ui/http/request.ts";
import { useCommand } from "../../ui/http/use-command.ts";
import { readOf, useList, useRead } from "../../ui/http/use-read.ts";
import type { Comment, ListedOrder, Order, Readiness, TimelineEntry } from "./order-types.ts";

const PATH = "/v2/porting_orders";
/** How often an open page looks for what desk and carrier did meanwhile. */
const LOOK_AGAIN_MS = 15_000;
const WHILE_CHECKING_MS = 1_000;

export function useOrders(query: Parameters<typeof withQuery>[1]) {
  const path = withQuery(PATH, { limit: 25, include: "requirements", ...query });
  return useList<ListedOrder>("orders", path);
}

export function useOrder(id: string) {
  return useQuery({
    ...readOf<Order>("orders", orderPath(id)),
    refetchInterval: LOOK_AGAIN_MS,
  });
}

/** What blocks a submission; asked again every second while a document is being checked. */
export function useReadiness(id: string) {
  return useQuery({
    ...readOf<Readiness>("orders", orderPath(id, "/readiness")),
    refetchInterval: ({ state: { data } }) =>
      data?.blocking.some(({ code }) => code === "checking") === true
        ? WHILE_CHECKING_MS
        : LOOK_AGAIN_MS,
  });
}

export function useTimeline(id: string) {
  return useRead<Page<TimelineEntry>>("orders", orderPath(id, "/timeline?limit=100"));
}

export function useComments(id: string) {
  return useQuery({
    ...readOf<Page<Comment>>("orders", orderPath(id, "/comments?limit=100")),
    refetchInterval: LOOK_AGAIN_MS,
  });
}

export function orderPath(id: string, below = ""): string {
  return `${PATH}/${id}${below}`;
}

/** A command on an order; what is shown of orders is fetched again after it. */
export function useOrderCommand(draft?: string) {
  return useCommand({ refreshes: ["orders"], ...(draft === undefined ? {} : { draft }) });
}
