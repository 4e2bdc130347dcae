import { z } from "zod";
import { EVENT_TYPES } from "../../../messages/events.ts";

const description = z.string().max(500).nullable();
const maxPerSecond = z.int().min(1).max(1_000).nullable();
const enabledEvents = z
  .array(z.enum(EVENT_TYPES, "There is no such event type"))
  .max(100)
  .transform((types) => [...new Set(types)]);

/** POST /v2/webhook_endpoints; whether the URL is allowed is checked separately. */
export const newEndpointBody = z.strictObject({
  url: z.string(),
  description: description.default(null),
  enabled_events: enabledEvents.default([]),
  active: z.boolean().default(true),
  max_per_second: maxPerSecond.default(null),
});

/** PATCH /v2/webhook_endpoints/{id}: absent fields keep their values. */
export const patchEndpointBody = z.strictObject({
  url: z.string().optional(),
  description: description.optional(),
  enabled_events: enabledEvents.optional(),
  active: z.boolean().optional(),
  max_per_second: maxPerSecond.optional(),
});

const LONGEST_OVERLAP_S = 604_800;

/** The rotation of an endpoint's or the account's secret: how long the previous one signs too. */
export const rotateSecretBody = z.strictObject({
  overlap_seconds: z.int().min(0).max(LONGEST_OVERLAP_S).default(0),
});
