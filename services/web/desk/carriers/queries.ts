import { useQuery } from "@tanstack/react-query";
import type { z } from "zod";
import type { carrierAnswer, providerAnswer } from "../../../desk/providers/answers.ts";
import type { Page } from "../../ui/http/request.ts";
import { readOf } from "../../ui/http/use-read.ts";

export type Provider = z.infer<typeof providerAnswer>;
export type Carrier = z.infer<typeof carrierAnswer>;
export type OrderToCall = Provider["orders_to_call"][number];

const STALE_MS = 30_000;
/** While the calls to make are shown; the service itself keeps what it counted for two seconds. */
const LOOK_AGAIN_MS = 15_000;

const PROVIDERS = {
  ...readOf<Page<Provider>>("carriers", "/desk/v1/providers"),
  staleTime: STALE_MS,
};

export function useProviders() {
  return useQuery(PROVIDERS);
}

/** The providers with the orders that wait for a call, fetched again while they are shown. */
export function useCallsToMake() {
  return useQuery({ ...PROVIDERS, refetchInterval: LOOK_AGAIN_MS });
}

export function useCarriers() {
  return useQuery({
    ...readOf<Page<Carrier>>("carriers", "/desk/v1/carriers"),
    staleTime: STALE_MS,
  });
}
