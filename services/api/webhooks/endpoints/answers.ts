import { z } from "zod";
import { idText, timeText } from "../../../platform/http/routing/answer-fields.ts";
import { eventType } from "../../../domain/event/answers/event-type-answer.ts";

const endpoint = z.object({
  id: idText("The endpoint's id"),
  url: z.string().meta({
    description: "Where events are sent",
    examples: ["https://hooks.example.com/porting"],
  }),
  description: z.string().nullable().meta({ description: "To distinguish endpoints" }),
  enabled_events: z
    .array(eventType)
    .meta({ description: "The types of events that are sent; empty for all" }),
  active: z.boolean().meta({ description: "False while the endpoint is paused" }),
  max_per_second: z
    .int()
    .nullable()
    .meta({ description: "The most webhooks a second, 1 to 1,000; null for no limit" }),
  paused_by: z
    .enum(["customer", "system"])
    .nullable()
    .meta({ description: "Who paused it; the system does after days without a success" }),
  paused_reason: z.string().nullable().meta({ description: "Why the system paused it" }),
  created_at: timeText("When it was created"),
  updated_at: timeText("When it last changed"),
  last_success_at: timeText("When a delivery last succeeded").nullable(),
  last_failure_at: timeText("When an attempt last failed").nullable(),
  consecutive_failures: z.int().meta({
    description: "Failed attempts since the last success, or since it was last made active",
    examples: [0],
  }),
});

const signingSecret = z.string().meta({
  description: "The secret that signs webhooks, shown once",
  examples: ["whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="],
});

/** A webhook endpoint (docs/contract/customer-api.md, Webhook endpoints). */
export const endpointAnswer = endpoint.meta({
  id: "WebhookEndpoint",
  description: "An HTTPS URL that events are sent to",
});

/** An endpoint with its secret, as returned on creation. */
export const newEndpointAnswer = endpoint.extend({ signing_secret: signingSecret }).meta({
  id: "WebhookEndpointWithSecret",
  description: "A new endpoint, with its signing secret",
});

const rotatedSecret = z.object({
  signing_secret: signingSecret,
  previous_secret_expires_at: timeText(
    "Until then deliveries are signed with both secrets",
  ).nullable(),
});

export const rotatedAccountSecretAnswer = rotatedSecret.meta({
  id: "RotatedAccountSecret",
  description: "The account's new signing secret",
});

export const rotatedEndpointSecretAnswer = rotatedSecret
  .extend({ id: idText("The endpoint's id") })
  .meta({ id: "RotatedEndpointSecret", description: "The endpoint's new signing secret" });
