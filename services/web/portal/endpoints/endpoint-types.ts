import type { z } from "zod";
import type {
  endpointAnswer,
  newEndpointAnswer,
  rotatedEndpointSecretAnswer,
} from "../../../api/webhooks/endpoints/routes.ts";
import type { recoveryAnswer } from "../../../api/webhooks/recoveries/routes.ts";
import type { Tone } from "../../ui/badge.tsx";

export type Endpoint = z.infer<typeof endpointAnswer>;
export type NewEndpoint = z.infer<typeof newEndpointAnswer>;
export type RotatedSecret = z.infer<typeof rotatedEndpointSecretAnswer>;
export type Recovery = z.infer<typeof recoveryAnswer>;

export function endpointWords(
  endpoint: Pick<Endpoint, "active" | "paused_by" | "consecutive_failures">,
): readonly [text: string, tone: Tone] {
  if (!endpoint.active) {
    return endpoint.paused_by === "system"
      ? ["Paused by the service", "bad"]
      : ["Paused by you", "neutral"];
  }
  return endpoint.consecutive_failures > 0 ? ["Failing", "warning"] : ["Active", "good"];
}
