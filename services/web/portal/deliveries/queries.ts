import { useQuery } from "@tanstack/react-query";
import { isWaitingStatus } from "../../../domain/webhook/rules/delivery.ts";
import { withQuery, type Page } from "../../ui/http/request.ts";
import { useCommand } from "../../ui/http/use-command.ts";
import { listOf, readOf } from "../../ui/http/use-read.ts";
import type { Delivery } from "./delivery-types.ts";

const PATH = "/v2/webhook_deliveries";
const UNDER_WAY_MS = 1_000;
const LOOK_AGAIN_MS = 15_000;

export function useDeliveries(query: Parameters<typeof withQuery>[1]) {
  const path = withQuery(PATH, { limit: 25, ...query });
  return useQuery({
    ...listOf<Delivery>("deliveries", path),
    refetchInterval: LOOK_AGAIN_MS,
  });
}

/** One delivery; asked again every second while an attempt is due. */
export function useDelivery(id: string) {
  return useQuery({
    ...readOf<Delivery>("deliveries", `${PATH}/${id}`),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && isWaitingStatus(data.status) ? UNDER_WAY_MS : false,
  });
}

export function useRetry() {
  return useCommand<Delivery>({ refreshes: ["deliveries"] });
}

export function retryPath(id: string): string {
  return `${PATH}/${id}/retry`;
}

export function useEventTypes() {
  return useQuery({
    ...readOf<Page<string>>("event-types", `${PATH}/meta/event_types`),
    staleTime: Infinity,
  });
}
