import { z } from "zod";

import { EVENT_TYPES } from "../../messages/events.ts";
import { idText, timeText } from "../../platform/http/routing/answer-fields.ts";
import { ATTEMPT_ERRORS, DELIVERY_STATUSES } from "../../domain/webhook/rules/delivery.ts";
import { exampleEvent } from "./sample-event.ts";

const url = z.string().meta({ examples: ["https://hooks.example.com/porting"] });

const endpoint = z.object({
  id: idText(),
  url,
  description: z.string().nullable(),
  enabled_events: z.array(z.enum(EVENT_TYPES)).meta({ description: "Empty: all of them" }),
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

/** An endpoint with its secret, as its creation answers it. */
export const newEndpointAnswer = endpoint
  .extend({ signing_secret: signingSecret })
  .meta({ id: "NewWebhookEndpoint" });

export const rotatedEndpointSecretAnswer = z.object({
  id: idText(),
  signing_secret: signingSecret,
  previous_secret_expires_at: timeText("Until then both sign").nullable(),
});

export const rotatedAccountSecretAnswer = z.object({ signing_secret: signingSecret });

const attempt = z.object({
  attempt: z.int(),
  started_at: timeText(),
  duration_ms: z.int().meta({ examples: [84] }),
  response_code: z
    .int()
    .nullable()
    .meta({ examples: [503] }),
  error: z
    .object({ code: z.string(), message: z.string() })
    .nullable()
    .meta({ examples: [{ code: "http_error", message: ATTEMPT_ERRORS.http_error }] }),
  response_body: z.string().nullable().meta({ description: "The first 4 KiB" }),
});

/** A delivery of the audit log (docs/contract/customer-api.md, Webhook deliveries). */
export const deliveryAnswer = z
  .object({
    id: idText(),
    event_id: idText(),
    event_type: z.enum(EVENT_TYPES),
    webhook_endpoint_id: idText("Null where it went to an order's own webhook_url").nullable(),
    url,
    porting_order_id: idText().nullable(),
    status: z.enum(DELIVERY_STATUSES),
    trigger: z.enum(["event", "republish", "recover", "test"]),
    attempt_count: z.int(),
    next_attempt_at: timeText()
      .nullable()
      .meta({ examples: ["2026-03-02T14:05:00.000Z"] }),
    created_at: timeText(),
    completed_at: timeText().nullable(),
    attempt_log: z.array(attempt),
    payload: z.looseObject({}).meta({
      description: "The exact body sent, as an object",
      examples: [exampleEvent("porting_order.created")],
    }),
  })
  .meta({ id: "WebhookDelivery" });

/** The deliveries that a republish made. */
export const newDeliveriesAnswer = z.object({ data: z.array(deliveryAnswer) });

/** A recovery (docs/contract/customer-api.md, Webhook deliveries). */
export const recoveryAnswer = z
  .object({
    id: idText(),
    status: z.enum(["running", "completed", "cancelled"]),
    total: z.int().meta({ description: "Events found when it was asked for" }),
    queued: z.int(),
    succeeded: z.int(),
    failed: z.int(),
  })
  .meta({ id: "WebhookRecovery" });
