import type { z } from "zod";
import { useQuery } from "@tanstack/react-query";
import type {
  EndpointAnswer,
  newEndpointAnswer,
  rotatedEndpointSecretAnswer,
} from "../../../services/api/webhooks/endpoints/routes.ts";
import type { recoveryAnswer } from "../../../services/api/webhooks/recoveries/routes.ts";
import { useCommand } from "../../ui/http/command.ts";
import { readOf } from "../../ui/http/read.ts";
import type { Page } from "../../ui/http/request.ts";

export type Endpoint = EndpointAnswer;
export type NewEndpoint = z.infer<typeof newEndpointAnswer>;
export type RotatedSecret = z.infer<typeof rotatedEndpointSecretAnswer>;
export type Recovery = z.infer<typeof recoveryAnswer>;

export const ENDPOINTS_PATH = "/v2/webhook_endpoints";
const LOOK_AGAIN_MS = 15_000;
const UNDER_WAY_MS = 1_000;

export function useEndpoints() {
  return useQuery({
    ...readOf<Page<Endpoint>>("endpoints", ENDPOINTS_PATH),
    refetchInterval: LOOK_AGAIN_MS,
  });
}

export function useEndpoint(id: string) {
  return useQuery({
    ...readOf<Endpoint>("endpoints", endpointPath(id)),
    refetchInterval: LOOK_AGAIN_MS,
  });
}

export function endpointPath(id: string, below = ""): string {
  return `${ENDPOINTS_PATH}/${id}${below}`;
}

/** A command on an endpoint; what is shown of endpoints and deliveries is fetched again after it. */
export function useEndpointCommand<T = unknown>() {
  return useCommand<T>({ refreshes: ["endpoints", "deliveries", "recoveries"] });
}

export function recoveryPath(id: string): string {
  return `/v2/webhook_recoveries/${id}`;
}

/** How far a recovery is. */
export function useRecovery(id: string) {
  return useQuery({
    ...readOf<Recovery>("recoveries", recoveryPath(id)),
    refetchInterval: ({ state: { data } }) => (data?.status === "running" ? UNDER_WAY_MS : false),
  });
}
