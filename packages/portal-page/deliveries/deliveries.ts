import type { z } from "zod";
import { useQuery } from "@tanstack/react-query";
import { isWaitingStatus } from "../../../services/domain/webhook/rules/delivery.ts";
import type { deliveryAnswer } from "../../../services/domain/webhook/answers/delivery-answer.ts";
import type { Tone } from "../../ui/badge.tsx";
import { useCommand } from "../../ui/http/command.ts";
import { listOf, readOf } from "../../ui/http/read.ts";
import { withQuery, type Page } from "../../ui/http/request.ts";

export type Delivery = z.infer<typeof deliveryAnswer>;

type Words = readonly [text: string, tone: Tone];

export const DELIVERY_WORDS: Readonly<Record<string, Words>> = {
  pending: ["Waiting", "neutral"],
  retrying: ["Retrying", "info"],
  succeeded: ["Delivered", "good"],
  failed: ["Failed", "bad"],
  skipped: ["Skipped", "warning"],
  cancelled: ["Cancelled", "neutral"],
};

export function deliveryWords(status: string): Words {
  return DELIVERY_WORDS[status] ?? [status, "neutral"];
}

/** What the last attempt came to: the receiver's status, or why there was none. */
export function lastOutcome({ attempt_log: log }: Pick<Delivery, "attempt_log">): string {
  const last = log.at(-1);
  if (last === undefined) return "–";
  return last.response_code === null ? (last.error?.code ?? "–") : String(last.response_code);
}

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
