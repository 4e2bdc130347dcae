import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { request, type Method, type Page } from "../../ui/http/request.ts";
import type { Endpoint, Recovery } from "./endpoint-types.ts";

const PATH = "/v2/webhook_endpoints";
const LOOK_AGAIN_MS = 15_000;
const UNDER_WAY_MS = 1_000;

export function useEndpoints() {
  return useQuery({
    queryKey: ["endpoints"],
    queryFn: ({ signal }) => request<Page<Endpoint>>("GET", PATH, { signal }),
    refetchInterval: LOOK_AGAIN_MS,
  });
}

export function useEndpoint(id: string) {
  return useQuery({
    queryKey: ["endpoints", id],
    queryFn: ({ signal }) => request<Endpoint>("GET", `${PATH}/${id}`, { signal }),
    refetchInterval: LOOK_AGAIN_MS,
  });
}

interface EndpointCommand {
  readonly method?: Method;
  /** Below `/v2/webhook_endpoints`: `/{id}/test`; empty for the list itself. */
  readonly path: string;
  readonly body?: unknown;
}

/** A command on the endpoints; what is shown of them is fetched again after it. */
export function useEndpointCommand<T = unknown>() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ method = "POST", path, body = {} }: EndpointCommand) =>
      request<T>(method, PATH + path, { body, idempotencyKey: crypto.randomUUID() }),
    onSettled: () =>
      Promise.all(
        [["endpoints"], ["deliveries"]].map((queryKey) => client.invalidateQueries({ queryKey })),
      ),
  });
}

/** How far a recovery is; null asks for none. */
export function useRecovery(id: string | null) {
  return useQuery({
    queryKey: ["recoveries", id],
    queryFn: ({ signal }) => request<Recovery>("GET", `/v2/webhook_recoveries/${id}`, { signal }),
    enabled: id !== null,
    refetchInterval: ({ state: { data } }) => (data?.status === "running" ? UNDER_WAY_MS : false),
  });
}
