import { useQuery } from "@tanstack/react-query";
import type { z } from "zod";
import type {
  carrierAnswer,
  providerAnswer,
} from "../../../requirement-review/providers/answers.ts";
import { request, type Page } from "../../ui/http/request.ts";

export type Provider = z.infer<typeof providerAnswer>;
export type Carrier = z.infer<typeof carrierAnswer>;
export type OrderToCall = Provider["orders_to_call"][number];

export function useProviders() {
  return useQuery({
    queryKey: ["carriers", "providers"],
    queryFn: ({ signal }) => request<Page<Provider>>("GET", "/desk/v1/providers", { signal }),
    staleTime: 30_000,
  });
}

export function useCarriers() {
  return useQuery({
    queryKey: ["carriers", "directory"],
    queryFn: ({ signal }) => request<Page<Carrier>>("GET", "/desk/v1/carriers", { signal }),
    staleTime: 30_000,
  });
}
