import type { EventType } from "../../../messages/events.ts";

export const MAX_ENDPOINTS = 20;

/** The settings of an endpoint that a customer can change. */
export interface EndpointSettings {
  readonly url: string;
  readonly description: string | null;
  /** Empty for all event types. */
  readonly enabled_events: readonly EventType[];
  readonly active: boolean;
  readonly max_per_second: number | null;
}

/** An endpoint as its account sees it, never with its secret (docs/contract/customer-api.md, Webhook endpoints). */
export interface Endpoint extends EndpointSettings {
  readonly id: string;
  readonly paused_by: "customer" | "system" | null;
  readonly paused_reason: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly last_success_at: Date | null;
  readonly last_failure_at: Date | null;
  /** Failed attempts since the last success, or since it was last made active. */
  readonly consecutive_failures: number;
}

export type EndpointPatch = {
  readonly [K in keyof EndpointSettings]?: EndpointSettings[K] | undefined;
};

/** An endpoint after a PATCH. `paused` and `resumed` are true only if the PATCH changed it to that state. */
interface PatchedEndpoint {
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
