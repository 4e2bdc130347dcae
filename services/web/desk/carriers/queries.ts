import { useQuery } from "@tanstack/react-query";
import type { z } from "zod";
import type {
  carrierAnswer,
  providerAnswer,
} from "../../../requirement-review/providers/answers.ts";
import type { Page } from "../../ui/http/request.ts";
import { readOf } from "../../ui/http/use-read.ts";

export type Provider = z.infer<typeof providerAnswer>;
export type Carrier = z.infer<typeof carrierAnswer>;
export type OrderToCall = Provider["orders_to_call"][number];

const STALE_MS = 30_000;

export function useProviders() {
  return useQuery({
    ...readOf<Page<Provider>>("carriers", "/desk/v1/providers"),
    staleTime: STALE_MS,
  });
}

export function useCarriers() {
  return useQuery({
    ...readOf<Page<Carrier>>("carriers", "/desk/v1/carriers"),
    staleTime: STALE_MS,
  });
}
