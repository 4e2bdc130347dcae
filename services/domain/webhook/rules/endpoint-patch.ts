import type { Endpoint, EndpointPatch } from "./endpoint.ts";

/** An endpoint after a PATCH. `paused` and `resumed` are true only if the PATCH changed it to that state. */
export interface PatchedEndpoint {
  readonly endpoint: Endpoint;
  readonly paused: boolean;
  readonly resumed: boolean;
}

/** A pause by PATCH is recorded as the customer's; resuming clears who paused the endpoint and its failure count. */
export function patchEndpoint(before: Endpoint, patch: EndpointPatch, now: Date): PatchedEndpoint {
  const settings = {
    url: patch.url ?? before.url,
    description: patch.description === undefined ? before.description : patch.description,
    enabled_events: patch.enabled_events ?? before.enabled_events,
    active: patch.active ?? before.active,
    max_per_second:
      patch.max_per_second === undefined ? before.max_per_second : patch.max_per_second,
  };
  const paused = before.active && !settings.active;
  const resumed = !before.active && settings.active;
  const pause = paused
    ? { paused_by: "customer" as const, paused_reason: null }
    : resumed
      ? { paused_by: null, paused_reason: null, consecutive_failures: 0 }
      : {};
  return { endpoint: { ...before, ...settings, ...pause, updated_at: now }, paused, resumed };
}
