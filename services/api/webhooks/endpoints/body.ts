import { z } from "zod";
import { EVENT_TYPES } from "../../../messages/events.ts";
import { textUpTo } from "../../../platform/http/body/fields.ts";
import { MAX_URL_LENGTH } from "../../../platform/net/url-rules.ts";

const url = z.string().meta({
  description: `Where events are sent: HTTPS, at a public address, on port 443 or from 1024 on, without user name and fragment, up to ${MAX_URL_LENGTH} characters`,
  examples: ["https://hooks.example.com/porting"],
});
const description = textUpTo(500)
  .nullable()
  .meta({ description: "To distinguish endpoints, up to 500 characters" });
const maxPerSecond = z
  .int()
  .min(1)
  .max(1_000)
  .nullable()
  .meta({ description: "The most webhooks a second, 1 to 1,000; null for no limit" });
const active = z.boolean().meta({ description: "False pauses the endpoint" });
/** Names the types, because a typo is found by comparing. */
export const NO_SUCH_TYPE = `Unknown event type. The event types are ${EVENT_TYPES.join(", ")}.`;

const enabledEvents = z
  .array(z.enum(EVENT_TYPES, NO_SUCH_TYPE))
  .max(100)
  .transform((types) => [...new Set(types)])
  .meta({ description: "The types of events that are sent; empty for all" });

/** POST /v2/webhook_endpoints; whether the URL is allowed is checked separately. */
export const newEndpointBody = z.strictObject({
  url,
  description: description.default(null),
  enabled_events: enabledEvents.default([]),
  active: active.default(true),
  max_per_second: maxPerSecond.default(null),
});

/** PATCH /v2/webhook_endpoints/{id}: absent fields keep their values. */
export const patchEndpointBody = z.strictObject({
  url: url.optional(),
  description: description.optional(),
  enabled_events: enabledEvents.optional(),
  active: active.optional(),
  max_per_second: maxPerSecond.optional(),
});

const LONGEST_OVERLAP_S = 604_800;

/** The rotation of an endpoint's or the account's secret: how long the previous one signs too. */
export const rotateSecretBody = z.strictObject({
  overlap_seconds: z
    .int()
    .min(0)
    .max(LONGEST_OVERLAP_S)
    .default(0)
    .meta({
      description: `How long the previous secret signs too, in seconds: 0 to ${LONGEST_OVERLAP_S}`,
      examples: [86_400],
    }),
});
