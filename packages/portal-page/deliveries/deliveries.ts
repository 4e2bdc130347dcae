import { useQuery } from "@tanstack/react-query";
import { listOf } from "../../ui/http/read.ts";
import { withQuery } from "../../ui/http/request.ts";
import type { WebhookSide } from "../../ui/webhooks/webhook-side.ts";
import type { Delivery } from "../../ui/webhooks/webhook-words.ts";

export const PORTAL: WebhookSide = {
  deliveries: "/v2/webhook_deliveries",
  endpointPage: (id) => `/endpoints/${id}`,
  eventPage: (id) => `/events/${id}`,
};

const LOOK_AGAIN_MS = 15_000;

/** A page of deliveries, of all or below a path such as an event's. */
export function useDeliveries(query: Parameters<typeof withQuery>[1], path = PORTAL.deliveries) {
  return useQuery({
    ...listOf<Delivery>("deliveries", withQuery(path, { limit: 25, ...query })),
    refetchInterval: LOOK_AGAIN_MS,
  });
}
