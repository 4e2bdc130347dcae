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
