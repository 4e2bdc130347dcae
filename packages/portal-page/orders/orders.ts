import { useQuery } from "@tanstack/react-query";
import { useCommand } from "../../ui/http/command.ts";
import { readOf, useList } from "../../ui/http/read.ts";
import { Problem, withQuery, type Page } from "../../ui/http/request.ts";
import type { Change, ListedOrder, Order, Readiness, TimelineEntry } from "./order-words.ts";

export const ORDERS = "/v2/porting_orders";
/** How often an open page looks for what desk and carrier did meanwhile. */
const LOOK_AGAIN_MS = 15_000;
const WHILE_CHECKING_MS = 1_000;

export function useOrders(query: Parameters<typeof withQuery>[1]) {
  const path = withQuery(ORDERS, { limit: 25, include: "requirements", ...query });
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
  return useQuery({
    ...readOf<Page<TimelineEntry>>("orders", orderPath(id, "/timeline?limit=100")),
    refetchInterval: LOOK_AGAIN_MS,
  });
}

export function useChanges(id: string) {
  return useQuery({
    ...readOf<Page<Change>>("orders", orderPath(id, "/changes")),
    refetchInterval: LOOK_AGAIN_MS,
  });
}

export function orderPath(id: string, below = ""): string {
  return `${ORDERS}/${id}${below}`;
}

/** A command on an order; what is shown of orders is fetched again after it. */
export function useOrderCommand<Answer>(draft?: string) {
  return useCommand<Answer>({ refreshes: ["orders"], ...(draft === undefined ? {} : { draft }) });
}

/** The service's own sentences on what is wrong, all of them. */
export function faultText(error: Error): string {
  if (!(error instanceof Problem) || error.faults.length === 0) return error.message;
  return error.faults.map(({ detail }) => detail).join(" ");
}
