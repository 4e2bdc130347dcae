import { z } from "zod";
import { EVENT_TYPES } from "../../../messages/events.ts";
import { idText, timeText } from "../../../platform/http/routing/answer-fields.ts";

const endpoint = z.object({
  id: idText(),
  url: z.string().meta({ examples: ["https://hooks.example.com/porting"] }),
  description: z.string().nullable(),
  enabled_events: z.array(z.enum(EVENT_TYPES)).meta({ description: "Empty for all event types" }),
  active: z.boolean(),
  max_per_second: z.int().nullable(),
  paused_by: z.enum(["customer", "system"]).nullable(),
  paused_reason: z.string().nullable(),
  created_at: timeText(),
  updated_at: timeText(),
  last_success_at: timeText().nullable(),
  last_failure_at: timeText().nullable(),
  consecutive_failures: z
    .int()
    .meta({ description: "Failed attempts since the last success", examples: [0] }),
});

const signingSecret = z.string().meta({
  description: "Shown once",
  examples: ["whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="],
});

/** A webhook endpoint (docs/contract/customer-api.md, Webhook endpoints). */
export const endpointAnswer = endpoint.meta({ id: "WebhookEndpoint" });

/** An endpoint with its secret, as returned on creation. */
export const newEndpointAnswer = endpoint
  .extend({ signing_secret: signingSecret })
  .meta({ id: "NewWebhookEndpoint" });

/** The account's secret after a rotation. */
export const rotatedAccountSecretAnswer = z.object({
  signing_secret: signingSecret,
  previous_secret_expires_at: timeText(
    "Until then deliveries are signed with both secrets",
  ).nullable(),
});

export const rotatedEndpointSecretAnswer = rotatedAccountSecretAnswer.extend({ id: idText() });
